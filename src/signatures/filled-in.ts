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

/** Expands a class such as `A-Z0-9_` to its characters. A dash at the end stands for itself. */
function membersOf(written: string): string[] {
  const members: string[] = [];
  for (let i = 0; i < written.length && members.length < LONGEST_CLASS; i++) {
    const first = written.charCodeAt(i);
    const last = written[i + 1] === '-' && i + 2 < written.length ? written.charCodeAt((i += 2)) : first;
    for (let code = first; code <= last; code++) members.push(String.fromCharCode(code));
  }
  return members;
}
