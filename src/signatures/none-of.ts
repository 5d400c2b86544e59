/**
 * Patterns for `none of these words stands here`, which RE2 cannot say: it has no look-around. Written out letter by
 * letter, as `z(?:$|[^u])`, it is an ordinary pattern that also takes the letters it has looked at.
 *
 * The words are written as they would stand there, with their blanks: ` zum ` is a whole word, ` betreff` begins one.
 */

/** None of the words follows. */
export function noneFollows(words: readonly string[]): string {
  // Where every word begins with a blank, what stands before must have come to its end.
  const ends = words.every((word) => word.startsWith(' ')) ? '\\p{L}\\p{N}' : '';
  const choices = [...lettersAfter(words)].map(
    ([before, letters]) => `${spelt(before)}(?:$|[^${spelt([...letters].join(''))}${before === '' ? ends : ''}])`,
  );
  return `(?:${choices.join('|')})`;
}

/** None of the words stands before what is written next. */
export function noneBefore(words: readonly string[], next: string): string {
  // Where every word has come to its end, so has what stands there instead of it: `{not!}lam` is not met in `reklam`.
  const begins = words.every((word) => /[ '’]$/.test(word)) && /^\(*(?:\?:)?[a-z]/.test(next) ? '\\b' : '';
  const turned = words.map(turnedAround);
  const choices = [...lettersAfter(turned)].map(
    ([behind, letters]) => `(?:^|[^${spelt([...letters].join(''))}])${spelt(turnedAround(behind))}`,
  );
  return `(?:${choices.join('|')})${begins}`;
}

/** Every beginning of a word with the letters that may follow it in one of the words. */
function lettersAfter(words: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const after = new Map<string, Set<string>>();
  for (const word of words) {
    if (words.some((other) => other !== word && word.startsWith(other))) continue;
    let before = '';
    for (const letter of word) {
      const letters = after.get(before) ?? new Set();
      after.set(before, letters.add(letter));
      before += letter;
    }
  }
  return after;
}

/** A blank of a pattern would stand for punctuation as well. */
function spelt(letters: string): string {
  return letters.replaceAll(' ', '\\s');
}

function turnedAround(word: string): string {
  return [...word].reverse().join('');
}
