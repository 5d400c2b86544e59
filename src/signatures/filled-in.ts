/**
 * Examples of secrets are written with placeholders: `AKIA«A-Z2-7:16»` stands for AKIA and 16 random characters of
 * that class. Complete examples would trigger secret scanners in this repository and at its users with each push.
 */
const HOLE = /«([A-Za-z0-9_+/=.-]{1,40}):(\d{1,3})»/g;
const LONGEST_CLASS = 128;

/** Fills in the placeholders. The same seed always gives the same text, so that a failing example keeps failing. */
export function filledIn(written: string, seed: string): string {
  if (!written.includes('«')) return written;
  let state = [...`${seed} ${written}`].reduce(
    (hash, char) => Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619),
    2_166_136_261,
  );
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
  return written.replace(HOLE, (_, members: string, count: string) => {
    const alphabet = membersOf(members);
    return Array.from({ length: Number(count) }, () => alphabet[next(alphabet.length)]).join('');
  });
}

/** What is wrong with the placeholders: such a one would be left out silently. */
export function holeProblems(written: string): string[] {
  return [...written.matchAll(HOLE)].flatMap(([hole, members, count]) => {
    const backwards = rangesOf(members!).find(([first, last]) => first > last);
    if (backwards !== undefined) return `${hole} stands for nothing: ${backwards.join(' comes after ')}`;
    return Number(count) === 0 ? `${hole} stands for nothing: give it a length from 1` : [];
  });
}

/** Expands a class such as `A-Z0-9_` to its characters. */
function membersOf(written: string): string[] {
  const members = rangesOf(written).flatMap(([first, last]) => {
    const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => String.fromCharCode(from + i));
  });
  return members.slice(0, LONGEST_CLASS);
}

/** The first and the last character of each range of a class. A dash at the end stands for itself. */
function rangesOf(written: string): [first: string, last: string][] {
  const ranges: [string, string][] = [];
  for (let i = 0; i < written.length; i += 1) {
    const first = written[i]!;
    const last = written[i + 1] === '-' && i + 2 < written.length ? written[(i += 2)]! : first;
    ranges.push([first, last]);
  }
  return ranges;
}
