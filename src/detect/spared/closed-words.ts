/**
 * A closed vocabulary: a text that is made of nothing else can ask for nothing else. Words are compared without case
 * and accents. Scripts without spaces, and languages that hang their endings on a word, are cut into listed pieces, the
 * longest first.
 */
export interface ClosedWords {
  readonly words: ReadonlySet<string>;
  readonly pieces: readonly string[];
  /** With what a piece begins: most words begin with none of these. */
  readonly firsts: ReadonlySet<string>;
}

export function closedWords(words: string, pieces = ''): ClosedWords {
  const cut = listed(pieces).sort((a, b) => b.length - a.length);
  return { words: new Set(listed(words)), pieces: cut, firsts: new Set(cut.map((piece) => piece[0]!)) };
}

/** The words of a text, or null when anything else than words, blanks and ordinary marks stands in it. */
export function wordsOf(text: string): string[] | null {
  if (UNSEEN.test(text)) return null;
  const plain = plainly(text);
  // One sign of Arabic stands for eighteen letters, and all of them would be compared.
  if (plain.length > MOST_LETTERS * text.length) return null;
  return ORDINARY.test(plain) ? (plain.match(WORD) ?? []) : null;
}

export function isAmong({ words, pieces, firsts }: ClosedWords, word: string): boolean {
  return words.has(word) || (firsts.has(word[0]!) && isOfPieces(pieces, word));
}

/** Whether the word is in the list or, where words are grown together, holds one of its pieces. */
export function holds({ words, pieces }: ClosedWords, word: string): boolean {
  return words.has(word) || pieces.some((piece) => word.includes(piece));
}

/** Never goes back on a piece, so that it takes no longer than the word times the list. */
function isOfPieces(pieces: readonly string[], word: string): boolean {
  let at = 0;
  while (at < word.length) {
    const piece = pieces.find((one) => word.startsWith(one, at));
    if (piece === undefined) return false;
    at += piece.length;
  }
  return true;
}

/** The pieces of all, for words that are made of pieces of any. */
export function grownTogether(...all: readonly ClosedWords[]): ClosedWords {
  return closedWords('', all.flatMap(({ pieces }) => pieces).join(' '));
}

/** What stands behind so many words. */
export function behindWords(written: string, words: number): string {
  const last = [...written.matchAll(/[\p{L}\p{N}\p{M}]+/gu)][words - 1];
  return last === undefined ? written : ` ${written.slice(last.index + last[0].length)}`;
}

/**
 * Variation selectors count as marks of a letter, and a whole attack can be written in them. So it can in the small
 * letters that medieval scribes set above others, and in marks that no language sets.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u034f-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/u;
const MARKS = /\p{M}/gu;
/** That of one sign, in the scripts that people write in. */
const MOST_LETTERS = 4;
const WORD = /[\p{L}\p{N}]+/gu;
/** Nothing invisible, nothing that draws a structure. */
const ORDINARY = /^[\p{L}\p{N} .,;:!?¿¡'’"“”„«»‹›‘‚「」『』（）()。、，；：！？…–—\n؟،।-]*$/u;

function plainly(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase();
}

function listed(words: string): string[] {
  return plainly(words)
    .split(/\s+/)
    .filter((word) => word !== '');
}
