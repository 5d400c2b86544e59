/**
 * A pattern for numbers in groups takes the first groups that it meets, and a year may stand before a card:
 * `2023 4929 8387 0635 6485`. Where its match is turned down, the number may begin with the next group.
 */
const FIRST_GROUP = /^[0-9]+[ -](?=[0-9])/;

/** Length of the first group and of what parts it from the next; 0 where the match is not made of groups. */
export function firstGroupOf(match: string): number {
  return FIRST_GROUP.exec(match)?.[0].length ?? 0;
}

/** The text without the first groups of these matches, which come in the order in which they stand in it. */
export function withoutFirstGroups(text: string, matches: readonly string[]): string {
  let out = '';
  let at = 0;
  for (const match of matches) {
    const start = text.indexOf(match, at);
    if (start === -1) continue;
    const length = firstGroupOf(match);
    out += text.slice(at, start) + ' '.repeat(length);
    at = start + length;
  }
  return out + text.slice(at);
}
