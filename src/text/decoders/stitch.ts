import type { Decoded } from './decoder.ts';

/** Escapes closer than this are one piece, with the text between them: a word has some letters plain, some escaped. */
const NEAR = 32;
/** Parts are joined as they come: millions of escapes must not become millions of strings that wait. */
const MOST_PARTS = 2048;

/**
 * Every match of an expression replaced, as few pieces that each hold all replacements that stand close together.
 * `undo` returns null where the match is not an escape after all.
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
