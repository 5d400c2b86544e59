/** Far more levels than any configuration or file of signatures has, and far fewer than a stack has room for. */
const MOST_LEVELS = 1000;

/**
 * Whether a YAML text may nest so deeply that it must not be parsed. The parser is recursive, and at the end of the stack
 * V8 can end the whole process instead of throwing an error. One pass over the text, which does not know what is quoted:
 * text of that many brackets that are never closed is refused as well.
 */
export function nestsTooDeeply(text: string): boolean {
  let brackets = 0;
  /** Signs of a list or a key in a row, each of which opens a level: `- - - `. */
  let signs = 0;
  let indentation = 0;
  let isIndentation = true;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!;
    if (char === '\n') {
      signs = 0;
      indentation = 0;
      isIndentation = true;
      continue;
    }
    if (char === ' ' || char === '\t') {
      if (isIndentation) indentation += 1;
      continue;
    }
    isIndentation = false;
    if (char === '[' || char === '{') brackets += 1;
    else if ((char === ']' || char === '}') && brackets > 0) brackets -= 1;
    // An anchor or a tag may stand between two signs. A bracket ends it.
    if (char === '&' || char === '!') {
      while (at + 1 < text.length && !END_OF_NAME.has(text[at + 1]!)) at += 1;
    } else if ((char === '-' || char === '?' || char === ':') && BLANK.has(text[at + 1] ?? '\n')) signs += 1;
    else signs = 0;
    if (brackets > MOST_LEVELS || signs > MOST_LEVELS || indentation > MOST_LEVELS) return true;
  }
  return false;
}

const BLANK = new Set([' ', '\t', '\n', '\r']);
const END_OF_NAME = new Set([...BLANK, ...'[]{},']);
