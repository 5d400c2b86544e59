/**
 * Whether a secret could stand in a part of a text at all: a run of characters as long as one, with a digit in it or too
 * long for a word. Looking only at every n-th byte costs a fraction of matching, and in prose about keys and tokens, which
 * has all the words that secrets are named by, it is nearly always the end of the search.
 */
export function hasDenseRun(bytes: Buffer, from: number, to: number): boolean {
  let at = from + RUN - 1;
  while (at < to) {
    const before = at - RUN;
    let back = at;
    while (back > before && MEMBER[bytes[back] as number] !== 0) back -= 1;
    if (back > before) {
      at = back + RUN;
      continue;
    }
    let end = at + 1;
    while (end < to && MEMBER[bytes[end] as number] !== 0) end += 1;
    if (end - before > WORDLESS) return true;
    for (let i = before + 1; i < end; i++) if (MEMBER[bytes[i] as number] === DIGIT) return true;
    at = end + RUN;
  }
  return false;
}

/** No pattern of a token or of an assigned secret is satisfied with less. */
const RUN = 14;
/** Tokens of letters alone are longer. */
const WORDLESS = 20;
const DIGIT = 2;
const MEMBER = Uint8Array.from({ length: 256 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[0-9]/.test(char)) return DIGIT;
  return code < 128 && /[A-Za-z_/+=.~!@#$%^&*:|-]/.test(char) ? 1 : 0;
});
