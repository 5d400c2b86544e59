/**
 * Whether a secret could stand in a part of a text at all: a run of characters as long as one, with a digit in it or
 * too long for a word. Looking at every 14th character only costs a fraction of matching. In prose about keys and
 * tokens, which has all the words that secrets are named by, this nearly always ends the search.
 */
export function hasDenseRun(text: string, from: number, to: number): boolean {
  let at = from + RUN - 1;
  while (at < to) {
    const before = at - RUN;
    let back = at;
    while (back > before && memberAt(text, back) !== 0) back -= 1;
    if (back > before) {
      at = back + RUN;
      continue;
    }
    let end = at + 1;
    while (end < to && memberAt(text, end) !== 0) end += 1;
    if (end - before > WORDLESS) return true;
    for (let i = before + 1; i < end; i++) if (memberAt(text, i) === DIGIT) return true;
    at = end + RUN;
  }
  return false;
}

/** No pattern of a token, or of a secret that is assigned to a name, matches less. */
const RUN = 14;
/** A run without a digit counts from this length on: tokens of letters alone are that long. */
const WORDLESS = 20;
const DIGIT = 2;
/** DIGIT for digits, 1 for the other characters that secrets are made of, 0 for the rest. */
const MEMBER = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[0-9]/.test(char)) return DIGIT;
  return /[A-Za-z_/+=.~!@#$%^&*:|-]/.test(char) ? 1 : 0;
});

function memberAt(text: string, at: number): number {
  return MEMBER[text.charCodeAt(at)] ?? 0;
}
