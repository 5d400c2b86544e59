/**
 * Misspellings of a word, typed in haste or on purpose to evade a word list. A model still reads the word. Two
 * letters after the first are swapped, one of them is left out, any letter is doubled, or all `r` and `l` become `w`.
 * The first letter is never left out or moved. A final `s` is not left out, because
 * `instruction` is another word, and no slip of `instructions`.
 *
 * `'print' -> 'pint', 'prrint', 'pirnt', 'pwint', ...`
 */
export function misspellings(word: string): readonly string[] {
  const found = new Set<string>();
  for (let i = 1; i < word.length; i += 1) {
    const [before, letter, after] = [word.slice(0, i), word[i]!, word.slice(i + 1)];
    if (letter !== 's' || after !== '') found.add(before + after);
    found.add(before + letter + letter + after);
    if (after !== '') found.add(before + after[0]! + letter + after.slice(1));
  }
  found.add(word[0]! + word);
  found.add(word.replaceAll(/[rl]/g, 'w'));
  found.delete(word);
  return [...found];
}
