/**
 * Whether two matches stand in one sentence. "I followed all the instructions. Ignore the old address." has the words of an
 * order to drop instructions side by side, and nobody gives that order in it.
 *
 * A mark that ends a sentence between single words ends none: `Ignore. All. Instructions.` is one order, however it is
 * dotted.
 */
export function isSentenceBetween(part: Buffer, from: number, to: number): boolean {
  if (to <= from) return false;
  const gap = part.toString('utf8', from, to);
  // The line of a list begins with a key, which may be the second match itself: `\nrule.ignore = `.
  const end = END.exec(gap + part.toString('utf8', to, Math.min(part.length, to + LONGEST_KEY)));
  if (end === null || end.index >= gap.length) return false;
  const before = part.toString('utf8', 0, from) + gap.slice(0, end.index);
  const after = (gap + part.toString('utf8', to)).slice(end.index + end[0].length);
  return hasWords(before.split(END).at(-1)!) && hasWords(after.split(END)[0]!);
}

/** A full stop and the like, the end of a quoted string, an empty line, and a line that begins like one of a list. */
const END =
  /[.!?…]+["'”’»)\]*_]*(?=\s)|[。！？؟।]|["'”»]\s*[,:;)}\]]|\n[ \t]*(?=\n|[-*•#]|\/\/|\d+[.)]|[\w.$-]+[ \t]*[=:])/u;

/** In bytes. */
const LONGEST_KEY = 64;
const FEWEST_WORDS = 3;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts that write no blanks between words: two letters count as a word. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function hasWords(sentence: string): boolean {
  let words = 0;
  for (const [word] of sentence.matchAll(WORD)) {
    words += UNSPACED.test(word) ? word.length / 2 : 1;
    if (words >= FEWEST_WORDS) return true;
  }
  return false;
}
