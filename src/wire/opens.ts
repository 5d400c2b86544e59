/**
 * How a text begins behind its blanks. By hand: a regular expression keeps a way back for each blank it has passed, and
 * megabytes of those overflow its stack.
 */
export function firstSign(text: string): number {
  let at = 0;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

const BLANK = /\s/;

function isBlank(unit: number): boolean {
  return unit <= 0x20
    ? unit === 0x20 || (unit >= 9 && unit <= 13)
    : unit > 0x7f && BLANK.test(String.fromCharCode(unit));
}

/** As a list or an object does. */
export function opensContainer(text: string): boolean {
  const unit = text.charCodeAt(firstSign(text));
  return unit === 123 || unit === 91;
}

/** As some document in JSON does: a string is one as well. */
export function opensDocument(text: string): boolean {
  const unit = text.charCodeAt(firstSign(text));
  return unit === 123 || unit === 91 || unit === 34;
}
