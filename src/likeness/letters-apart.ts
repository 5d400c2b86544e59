/**
 * Letters that stand apart, with blanks or with nothing visible between them: headings, and what is copied from a page.
 */

const SPACE = 0x20;

/**
 * Whether a blank, or a character that cannot be seen, stands before `at`. A letter behind a visible sign, as in `\\a\\b`
 * or between emoji, is written so on purpose.
 */
export function isBlankBefore(bytes: Uint8Array, at: number): boolean {
  const before = at > 0 ? bytes[at - 1]! : SPACE;
  if (before < 0x80) return before <= SPACE;
  const second = at > 1 ? bytes[at - 2]! : 0;
  const third = at > 2 ? bytes[at - 3]! : 0;
  // U+00A0 and U+00AD; U+2000 to U+207F; U+3000; variation selectors and U+FEFF.
  return (
    (second === 0xc2 && (before === 0xa0 || before === 0xad)) ||
    (third === 0xe2 && (second === 0x80 || second === 0x81)) ||
    (third === 0xe3 && second === 0x80 && before === 0x80) ||
    (third === 0xef && (second === 0xb8 || (second === 0xbb && before === 0xbf)))
  );
}

/** The longest stretch of letters that stand apart in a part of a text, with what goes on of it before and behind. */
export function lettersApartAround(
  bytes: Uint8Array,
  part: { readonly begin: number; readonly end: number },
  from: number,
  to: number,
): { begin: number; end: number } {
  let longest = { begin: part.begin, end: part.begin };
  let begin = part.begin;
  const close = (end: number): void => {
    if (end - begin > longest.end - longest.begin) longest = { begin, end };
  };
  for (let at = part.begin; at < part.end; at += 1) {
    if (!isWord(bytes, at, part.end)) continue;
    close(at);
    while (at < part.end && isLetter(bytes[at]!)) at += 1;
    begin = at;
  }
  close(part.end);
  let { end } = longest;
  ({ begin } = longest);
  if (begin === part.begin) while (begin > from && !(begin - 1 > from && isWord(bytes, begin - 2, to))) begin -= 1;
  if (end === part.end) while (end < to && !isWord(bytes, end, to)) end += 1;
  return { begin, end };
}

/** Whether two letters stand side by side from `at` on. */
function isWord(bytes: Uint8Array, at: number, to: number): boolean {
  return at + 1 < to && isLetter(bytes[at]!) && isLetter(bytes[at + 1]!);
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
