/**
 * Finds what can be read in the base64 of bytes that are no text: of sound, of a file of no known format. Their code is
 * not scanned itself, so this is all that the scan would have decoded from it.
 */
import { couldBeText, textOf } from '../text/decoders/bytes.ts';
import { compressed } from '../text/decoders/compressed.ts';
import { DIGITS, LOWER, UPPER, alphabetOf, runs } from '../text/decoders/runs.ts';
import { shiftedCodes } from '../text/decoders/shifted-codes.ts';
import { looksBinary, printableRuns, wideRuns } from './binary.ts';
import { sniffWideEncoding } from './charset.ts';
import { wordsInCode } from './words-in-code.ts';

/**
 * Whether bytes are neither text nor another code. `text` is what they are as text, if they can be taken for it: samples
 * of sound have the zero bytes of UTF-16.
 */
export function isNoise(code: string, bytes: Buffer, text: string | null): boolean {
  const isBinary = text === null ? looksBinary(bytes) : isWideByChance(bytes, text);
  return isBinary && !saysWordsShifted(code.slice(0, SHIFTED_CHARS));
}

/** A code with its letters shifted along the alphabet shows it at its beginning. Silence decodes to one letter. */
const SHIFTED_CHARS = 512;

function saysWordsShifted(code: string): boolean {
  return shiftedCodes.decode(code).some(({ text }) => wordsInCode(text) !== '');
}

/** What no text has: control characters, and units that no letter was given. */
const NO_LETTER = /[\p{Cn}\p{Co}\p{Cs}\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\ufffd]/u;
const EACH_NO_LETTER = new RegExp(NO_LETTER, 'gu');
/** Sound has one such unit in fifty at least, a text hardly any. */
const LEAST_SHARE = 50;

function isWideByChance(bytes: Buffer, text: string): boolean {
  const wide = sniffWideEncoding(bytes);
  const isMarked = bytes[0]! >= 0xfe && bytes[1]! >= 0xfe;
  if (wide === null || isMarked) return false;
  const most = Math.floor(text.length / LEAST_SHARE);
  let found = 0;
  for (const _ of text.matchAll(EACH_NO_LETTER)) if (++found > most) return true;
  return false;
}

/** `text` is the same as for `isNoise`: it may be one with noise before or behind it. */
export function saidInNoise(code: string, bytes: Buffer, text: string | null): string {
  const said = [
    wordsInCode(printableRuns(bytes)),
    wordsInCode(wideRuns(bytes)),
    ...endsOf(bytes.toString('utf8')),
    ...(text === null ? [] : endsOf(text)),
  ];
  for (const way of waysToRead(code)) {
    const decoded = Buffer.from(way, 'base64');
    const plain = couldBeText(decoded, decoded.length) ? textOf(decoded) : null;
    if (plain !== null) said.push(plain);
  }
  for (const piece of compressed.decode(code)) said.push(piece.text);
  for (const alphabet of ONE_CASE)
    for (const { start, end } of runs(code, alphabet, LEAST_OF_ONE_CASE))
      said.push(...code.slice(start, end).split(SILENCE).filter(isNoQuiet));
  return said.filter((text) => text !== '').join('\n');
}

/** As it stands, without characters that are glued to its front, backwards, and rotated by 13 letters. */
function waysToRead(code: string): string[] {
  const reversed = Buffer.from(code, 'latin1').reverse();
  const rotated = Buffer.from(code, 'latin1');
  for (let at = 0; at < rotated.length; at++) rotated[at] = ROTATED[rotated[at]! & 127]!;
  return [
    code,
    code.slice(1),
    code.slice(2),
    code.slice(3),
    // The padding would end it before it begins.
    reversed.toString('latin1').replace(/^=+/, ''),
    rotated.toString('latin1'),
  ];
}

const ROTATED = Uint8Array.from({ length: 128 }, (_, unit) => {
  const letter = (unit | 32) - 97;
  return letter >= 0 && letter < 26 ? unit - letter + ((letter + 13) % 26) : unit;
});

/** Hex, base32, digits and words are in letters of one case, the code of noise hardly for so long. */
const ONE_CASE = [alphabetOf(`${DIGITS}${UPPER}-_`), alphabetOf(`${DIGITS}${LOWER}+/-_`)];
const LEAST_OF_ONE_CASE = 48;
/** The code of zero bytes. Samples around zero have many of them, and all other codes of text hardly any. */
const SILENCE = /A{4,}/;

function isNoQuiet(run: string): boolean {
  return run.length >= LEAST_OF_ONE_CASE && (run.split('A').length - 1) * 4 < run.length;
}

/** Shorter beginnings and ends occur by chance. */
const LEAST_OF_END = 8;

/** The beginning and the end of a text up to the first and from the last character that no text has. */
function endsOf(text: string): string[] {
  const to = text.search(NO_LETTER);
  let from = text.length;
  for (let size = 1; from > to; from -= size) {
    size = isLowSurrogate(text.charCodeAt(from - 1)) ? 2 : 1;
    if (NO_LETTER.test(text.slice(from - size, from))) break;
  }
  return [text.slice(0, Math.max(0, to)), text.slice(from)].filter(({ length }) => length >= LEAST_OF_END);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
