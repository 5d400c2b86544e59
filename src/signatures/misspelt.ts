/**
 * The ways in which a word comes out when it is typed in haste, or so that no list of words knows it: two letters inside of it
 * changed about, one left out, one twice; `w` for `r` and `l`. To a model it is the same word. The first letter stays.
 */
export function misspellings(word: string): readonly string[] {
  const found = new Set<string>();
  for (let i = 1; i < word.length; i += 1) {
    const [before, letter, after] = [word.slice(0, i), word[i]!, word.slice(i + 1)];
    found.add(before + after);
    found.add(before + letter + letter + after);
    if (after !== '') found.add(before + after[0]! + letter + after.slice(1));
  }
  found.add(word[0]! + word);
  found.add(word.replaceAll(/[rl]/g, 'w'));
  found.delete(word);
  return [...found];
}
