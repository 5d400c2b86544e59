/**
 * Recognizes file formats that are not text by their first bytes (magic numbers), never by a name that the sender
 * chose.
 */

export type Media = 'image' | 'audio' | 'video' | 'pdf' | 'archive' | 'model';

interface MagicBytes {
  readonly at: number;
  readonly bytes: Buffer;
}
type Magic = readonly [Media, ...MagicBytes[]];

const piece = (bytes: string, at = 0): MagicBytes => ({ at, bytes: Buffer.from(bytes, 'latin1') });
/**
 * ISO media files (MP4, AVIF...). A NUL as the first byte is required, because `ftyp` alone could occur in any text.
 */
const boxed = (brand: string): MagicBytes[] => [piece('\0'), piece(`ftyp${brand}`, 4)];

const MAGICS: readonly Magic[] = [
  ['image', piece('\x89PNG\r\n\x1a\n')],
  ['image', piece('\xff\xd8\xff')],
  ['image', piece('GIF87a')],
  ['image', piece('GIF89a')],
  ['image', piece('RIFF'), piece('WEBP', 8)],
  ['image', piece('II*\0')],
  ['image', piece('MM\0*')],
  ['image', piece('BM'), piece('\0\0\0\0', 6)],
  ['image', ...boxed('avif')],
  ['image', ...boxed('heic')],
  ['image', ...boxed('mif1')],
  ['audio', piece('RIFF'), piece('WAVE', 8)],
  ['audio', piece('ID3')],
  ['audio', piece('\xff\xfb')],
  ['audio', piece('\xff\xf3')],
  ['audio', piece('\xff\xf2')],
  ['audio', piece('\xff\xf1')],
  ['audio', piece('\xff\xf9')],
  ['audio', piece('FORM'), piece('AIF', 8)],
  ['audio', piece('OggS')],
  ['audio', piece('fLaC')],
  ['audio', ...boxed('M4A')],
  ['video', ...boxed('')],
  ['video', piece('\x1aE\xdf\xa3')],
  ['video', piece('RIFF'), piece('AVI ', 8)],
  ['video', piece('FLV\x01')],
  ['video', piece('\x30\x26\xb2\x75\x8e\x66\xcf\x11')],
  ['video', piece('\0\0\x01\xba')],
  ['video', piece('\0\0\x01\xb3')],
  ['pdf', piece('%PDF-')],
  ['archive', piece('PK\x03\x04')],
  ['archive', piece('\x1f\x8b\x08')],
  ['archive', piece('\x28\xb5\x2f\xfd')],
  ['archive', piece('7z\xbc\xaf\x27\x1c')],
  ['archive', piece('BZh')],
  ['archive', piece('\xfd7zXZ\0')],
  ['model', piece('GGUF')],
];

export function sniffMedia(bytes: Buffer): Media | null {
  for (const [media, ...pieces] of MAGICS) if (pieces.every((piece) => matchesAt(piece, bytes))) return media;
  return null;
}

function matchesAt({ at, bytes: wanted }: MagicBytes, bytes: Buffer): boolean {
  const end = at + wanted.length;
  return bytes.length >= end && bytes.compare(wanted, 0, wanted.length, at, end) === 0;
}
