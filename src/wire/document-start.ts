/**
 * Index of the first character that is not whitespace. A loop and not a regular expression: the latter saves a
 * backtracking state for each whitespace character, and megabytes of whitespace overflow its stack.
 */
export function firstNonBlank(text: string): number {
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

/** Whether the text begins like a JSON object or array. */
export function opensContainer(text: string): boolean {
  const unit = text.charCodeAt(firstNonBlank(text));
  return unit === 123 || unit === 91;
}

export function opensList(text: string): boolean {
  return text.charCodeAt(firstNonBlank(text)) === 91;
}

/** Whether the text begins like a JSON document: an object, an array, or a string. */
export function opensDocument(text: string): boolean {
  const unit = text.charCodeAt(firstNonBlank(text));
  return unit === 123 || unit === 91 || unit === 34;
}
