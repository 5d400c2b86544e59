import type { Decoded } from './decoder.ts';

/**
 * Escapes closer than this become one piece, together with the text between them: in a word, some letters may be plain
 * and some escaped.
 */
const NEAR = 32;
/**
 * Most parts per piece. Parts are joined as they come, so that millions of escapes do not become millions of strings in
 * memory.
 */
const MOST_PARTS = 2048;

/**
 * Replaces every match of an expression, and returns pieces that each hold all replacements close together. `undo`
 * returns null for a match that is not an escape after all.
 */
export function stitch(text: string, escape: RegExp, undo: (match: RegExpExecArray) => string | null): Decoded[] {
  const pieces: Decoded[] = [];
  let parts: string[] = [];
  let start = 0;
  let end = 0;
  const close = (): void => {
    if (parts.length > 0) pieces.push({ text: parts.join(''), start, end });
    parts = [];
  };
  escape.lastIndex = 0;
  for (let match = escape.exec(text); match !== null; match = escape.exec(text)) {
    const plain = undo(match);
    if (plain === null) continue;
    if (parts.length > 0 && match.index - end <= NEAR && parts.length < MOST_PARTS) {
      if (match.index > end) parts.push(text.slice(end, match.index));
    } else {
      close();
      start = match.index;
    }
    parts.push(plain);
    end = match.index + match[0].length;
  }
  close();
  return pieces;
}
