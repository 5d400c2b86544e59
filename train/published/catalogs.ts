/**
 * The texts of a program's message catalogs (GNU gettext, .mo): what stands in the program, and its translations.
 */
export interface Message {
  readonly source: string;
  readonly translation: string;
}

const MAGIC = 0x950412de;
/** Before it stands the context of a message, and behind it the plural of a form. */
const [CONTEXT_END, FORM_END] = ['\u0004', '\0'];

export function messagesInCatalog(file: Buffer): Message[] {
  if (file.length < 20 || file.readUInt32LE(0) !== MAGIC) return [];
  const [count, sources, translations] = [file.readUInt32LE(8), file.readUInt32LE(12), file.readUInt32LE(16)];
  const textAt = (table: number, i: number): string => {
    const [length, start] = [file.readUInt32LE(table + 8 * i), file.readUInt32LE(table + 8 * i + 4)];
    return file.toString('utf8', start, start + length).split(FORM_END)[0]!;
  };
  return Array.from({ length: count }, (_, i) => ({
    source: withoutContext(textAt(sources, i)),
    translation: textAt(translations, i),
  })).filter(({ source }) => source !== '');
}

function withoutContext(source: string): string {
  return source.slice(source.indexOf(CONTEXT_END) + 1).replace(/^[^^\n]{1,40}\^/, '');
}
