/**
 * One endpoint, however its path is spelled: servers take an escaped letter for the letter, and many of them a second slash, a slash
 * at the end, parameters of a segment and capitals for nothing. Whoever goes by the spelling alone lets the caller say what is read.
 * Only for telling endpoints apart: what is forwarded is what was sent.
 */
export function plainPath(path: string): string {
  let plain = path;
  // Gateways in a row undo one escape each.
  for (let i = 0; i < MOST_ESCAPED && plain.includes('%'); i += 1)
    plain = plain.replace(ESCAPED, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return plain
    .toLowerCase()
    .replace(/;[^/]*/g, '')
    .replace(/\\/g, '/')
    .replace(/\/(?:\.?\/)+/g, '/')
    .replace(/[/.\s]+$/, '');
}

const MOST_ESCAPED = 3;
/** What ASCII prints. */
const ESCAPED = /%([2-6][0-9a-f]|7[0-9a-e])/gi;
