import { BLANKS_AT_JOINT, isCodeList } from './cut-codes.ts';
import { isEntityAt } from './decoders/entity-names.ts';
import { KIND, LEETED } from './runs-of-units.ts';
import { MARK } from './marks.ts';
import { isQuotedEscape } from './quoted-escape.ts';
import { isPieceAt } from './rows-of-pieces.ts';
import {
  hexDigitsAt,
  isAlphanumeric,
  isAsciiLetter,
  isBlank,
  isDigit,
  isHexDigit,
  isNamePart,
  isOctal,
  isQuote,
  isUpperHex,
  skipBlanks,
  skipBlanksBack,
} from './units.ts';
import { opensString } from './terminal.ts';
import { turnedEntity, turnedEscape, turnedPair, turnedPlus } from './turned-signs.ts';
import { isLeetAt, isSplitAt, isSplitAtLineEnd } from './words-at.ts';

/**
 * Decides for an ASCII symbol at its position whether a decoder could start there. Each check looks at only a few
 * characters around.
 */

/** Limits that match how far the regular expressions of the decoders look. */
const BLANKS_AT_VALUE = 3;
const MOST_NAME = 16;

/** The bits of MARK that the symbol at `at` stands for, or 0 if it means nothing there. */
export function markSign(units: Uint16Array, at: number, end: number): number {
  switch (units[at]) {
    case 0x25:
      return (isPercent(units, at, end) ? MARK.percent : 0) | turnedPair(units, at, 2, isHexDigit);
    case 0x26:
      return (
        (isEntity(units, at, end) ? MARK.entity : 0) |
        turnedEntity(units, at) |
        joint(units, at, at, end) |
        sum(units, at, end)
      );
    case 0x5c:
      return (
        escape(units, at, end) |
        turnedEscape(units, at) |
        (units[at + 1] === 0x0a && at + 1 < end ? joint(units, at, at + 1, end) : 0)
      );
    case 0x3c:
      return tag(units, at, end);
    case 0x3d:
      return (isQuotedEscape(units, at, end) ? MARK.quotedPrintable : 0) | turnedPair(units, at, 2, isUpperHex);
    case 0x2b:
      return (
        plus(units, at, end) |
        turnedPlus(units, at, end) |
        joint(units, at, at, end) |
        sum(units, at, end) |
        leet(units, at, end)
      );
    case 0x2e:
      return (
        (at > 0 && isAsciiLetter(units[at - 1] as number) ? 0 : joint(units, at, at, end)) |
        (isKnock(units, at) ? MARK.knock : 0)
      );
    case 0x7c:
      return (units[at + 1] === 0x7c && at + 1 < end ? joint(units, at, at + 1, end) : 0) | leet(units, at, end);
    case 0x2c:
      return joint(units, at, at, end) === 0 ? 0 : MARK.listJoint | (isCodeList(units, at, end) ? MARK.codeList : 0);
    case 0x2d:
      return hyphen(units, at, end);
    case 0x22:
    case 0x27:
      return value(units, at) | joinedBefore(units, at, end);
    case 0x60:
      return value(units, at) | joinedBefore(units, at, end) | emphasis(units, at, end);
    case 0x2a:
    case 0x7e:
      return emphasis(units, at, end);
    case 0x7b:
      return isTemplate(units, at) ? MARK.sum : 0;
    case 0x5d:
      return isMarkdownComment(units, at, end) ? MARK.hidden : 0;
    case 0x09:
      return isMixedBlank(units, at, end) ? MARK.blanks : 0;
    case 0x0d:
      return at + 1 < end && units[at + 1] === 0x0a ? 0 : MARK.strange;
    case 0x1b:
      return MARK.strange | (at + 1 < end && opensString(units[at + 1] as number) ? MARK.terminal : 0);
    case 0x21:
    case 0x24:
    case 0x40:
      return leet(units, at, end);
    default:
      return isDigit(units[at] as number) ? leet(units, at, end) | piece(units, at, end) : MARK.strange;
  }
}

function isPercent(units: Uint16Array, at: number, end: number): boolean {
  return ((units[at + 1] as number) | 0x20) === 0x75
    ? hexDigitsAt(units, at + 2, end, 4) === 4
    : hexDigitsAt(units, at + 1, end, 2) === 2;
}

function isEntity(units: Uint16Array, at: number, end: number): boolean {
  const first = at + 1 < end ? (units[at + 1] as number) : 0;
  if (first === 0x23) {
    const next = at + 2 < end ? (units[at + 2] as number) : 0;
    return isDigit(next) || ((next | 0x20) === 0x78 && hexDigitsAt(units, at + 3, end, 1) === 1);
  }
  if (!isAsciiLetter(first)) return false;
  let to = at + 2;
  while (to < end && to <= at + MOST_NAME && isAsciiLetter(units[to] as number)) to++;
  return to < end && units[to] === 0x3b && isEntityAt(units, at + 1, to);
}

function escape(units: Uint16Array, at: number, end: number): number {
  if (at + 1 >= end) return 0;
  const kind = units[at + 1] as number;
  let found = false;
  if (kind === 0x75) found = units[at + 2] === 0x7b || hexDigitsAt(units, at + 2, end, 4) === 4;
  else if (kind === 0x78) found = units[at + 2] === 0x7b || hexDigitsAt(units, at + 2, end, 2) === 2;
  else if (kind === 0x55) found = hexDigitsAt(units, at + 2, end, 8) === 8;
  else if (kind >= 0x30 && kind <= 0x37)
    found =
      (kind <= 0x33 && at + 3 < end && isOctal(units[at + 2] as number) && isOctal(units[at + 3] as number)) ||
      isOfStyles(units, at, end);
  else found = kind === 0x22 || kind === 0x27 || kind === 0x2f || isShort(kind);
  return found ? MARK.escape : 0;
}

/** CSS escapes: a backslash, two hex digits and a terminator: `\69 \67`. */
function isOfStyles(units: Uint16Array, at: number, end: number): boolean {
  const after = at + 3 < end ? (units[at + 3] as number) : 0x20;
  return (
    (units[at + 1] as number) >= 0x32 &&
    hexDigitsAt(units, at + 1, end, 2) === 2 &&
    (after === 0x20 || after === 0x0a || after === 0x5c)
  );
}

/** Escapes with a short name: `\n`, `\r`, `\t`, `\f`, `\v`. */
function isShort(unit: number): boolean {
  return unit === 0x6e || unit === 0x72 || unit === 0x74 || unit === 0x66 || unit === 0x76;
}

function plus(units: Uint16Array, at: number, end: number): number {
  return at > 0 && ((units[at - 1] as number) | 0x20) === 0x75 && hexDigitsAt(units, at + 1, end, 4) === 4
    ? MARK.escape
    : 0;
}

/** A quote on either side of the operator, with only blanks between: `"ign" + "ore"`. */
function joint(units: Uint16Array, first: number, last: number, end: number): number {
  const before = first === 0 ? 0 : (units[first - 1] as number);
  if (!isQuote(before) && !isBlank(before)) return 0;
  const left = skipBlanksBack(units, first - 1, BLANKS_AT_JOINT);
  if (left < 0 || !isQuote(units[left] as number)) return 0;
  const right = skipBlanks(units, last + 1, end, BLANKS_AT_JOINT);
  return right < end && isQuote(units[right] as number) ? MARK.joint : 0;
}

/**
 * Whether the quote at `at` opens a string right after another string was closed, with nothing between the two but
 * blanks or an operator that joins them: `"ign" "ore"`, `"ign" <> "ore"`.
 */
function joinedBefore(units: Uint16Array, at: number, end: number): number {
  const last = skipBlanksBack(units, at - 1, BLANKS_AT_JOINT);
  if (last < 0) return 0;
  let left = last;
  while (left >= 0 && last - left < MOST_JOINING && isJoining(units[left] as number)) left--;
  if (left < last) left = skipBlanksBack(units, left, BLANKS_AT_JOINT);
  // Strings on lines of their own are rows of a table, or the imports of a program.
  else if (last === at - 1 || !isOnLine(units, last + 1, at) || !isBetweenLetters(units, last, at, end)) return 0;
  return left >= 0 && isQuote(units[left] as number) ? MARK.joint : 0;
}

const MOST_JOINING = 2;

/** Signs of joining operators that have no `case` of their own in `markSign`. */
function isJoining(unit: number): boolean {
  return unit === 0x3c || unit === 0x3e || unit === 0x5e || unit === 0x7e || unit === 0x2e || unit === 0x2b;
}

/**
 * Whether a letter or digit follows each quote on its far side, so that both are ends of non-empty strings. A string
 * that is just a blank (`" "`) has quotes around it that fail this check.
 */
function isBetweenLetters(units: Uint16Array, left: number, right: number, end: number): boolean {
  const before = units[left - 1] === 0x20 ? left - 2 : left - 1;
  const after = units[right + 1] === 0x20 ? right + 2 : right + 1;
  return (
    before >= 0 && after < end && isAlphanumeric(units[before] as number) && isAlphanumeric(units[after] as number)
  );
}

function isOnLine(units: Uint16Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (units[at] !== 0x20 && units[at] !== 0x09) return false;
  return true;
}

/** An operator with a name before it, and a name or a literal after it: `a + b`, `a + "b"`. */
function sum(units: Uint16Array, at: number, end: number): number {
  const left = skipBlanksBack(units, at - 1, BLANKS_AT_VALUE);
  if (left < 0 || !isNamePart(units[left] as number)) return 0;
  const right = skipBlanks(units, at + 1, end, BLANKS_AT_VALUE);
  if (right >= end) return 0;
  const next = units[right] as number;
  return isQuote(next) || (isNamePart(next) && !isDigit(next)) ? MARK.sum : 0;
}

/** The second of two names in braces: `{a}{b}`, `${a} ${b}`. */
function isTemplate(units: Uint16Array, at: number): boolean {
  let left = at - 1;
  if (left >= 0 && units[left] === 0x7b) left--;
  if (left >= 0 && (units[left] === 0x24 || units[left] === 0x23)) left--;
  if (left >= 0 && isBlank(units[left] as number)) left--;
  if (left < 0 || units[left] !== 0x7d) return false;
  if (left > 0 && units[left - 1] === 0x7d) left--;
  const name = skipBlanksBack(units, left - 1, 1);
  return name >= 0 && isNamePart(units[name] as number);
}

/**
 * Whether a quote opens a value that is assigned to a name: `name = "`, `name: "`, `name is "`, `name be "`, but not
 * `"key": "`.
 */
export function value(units: Uint16Array, at: number): number {
  let left = skipBlanksBack(units, at - 1, BLANKS_AT_VALUE);
  if (left < 0) return 0;
  const sign = units[left] as number;
  if (sign === 0x3d || sign === 0x3a) left--;
  else if (left > 0 && ((sign === 0x73 && units[left - 1] === 0x69) || (sign === 0x65 && units[left - 1] === 0x62)))
    left -= 2;
  else return 0;
  left = skipBlanksBack(units, left, BLANKS_AT_VALUE);
  if (left >= 0 && units[left] === 0x3a) left = skipBlanksBack(units, left - 1, BLANKS_AT_VALUE);
  return left >= 0 && isNamePart(units[left] as number) ? MARK.value : 0;
}

function tag(units: Uint16Array, at: number, end: number): number {
  if (at + 1 >= end) return 0;
  const next = units[at + 1] as number;
  if (next === 0x21)
    return at + 3 < end && units[at + 2] === 0x2d && units[at + 3] === 0x2d ? MARK.tag | MARK.hidden : 0;
  return next === 0x2f || next === 0x3f || isAsciiLetter(next) ? MARK.tag : 0;
}

function emphasis(units: Uint16Array, at: number, end: number): number {
  if (at === 0 || !isAsciiLetter(units[at - 1] as number)) return 0;
  const sign = units[at] as number;
  const most = sign === 0x2a ? 3 : sign === 0x7e ? 2 : 1;
  let next = at + 1;
  while (next < end && next < at + most && units[next] === sign) next++;
  if (sign === 0x7e && next !== at + 2) return 0;
  return next < end && isAsciiLetter(units[next] as number) ? MARK.emphasis : 0;
}

/** Markdown link definitions that serve as comments: `[//]:`, `[comment]:`, `[_]:`. */
function isMarkdownComment(units: Uint16Array, at: number, end: number): boolean {
  if (at + 1 >= end || units[at + 1] !== 0x3a || at < 2) return false;
  const last = (units[at - 1] as number) | 0x20;
  return last === 0x2f || last === 0x74 || last === 0x7f;
}

/** Whether the letters on both sides of a hyphen, which are the same, are a word of their own and the beginning of one. */
function isStutterAt(units: Uint16Array, at: number, end: number): boolean {
  const isAlone = at < 2 || !isAsciiLetter(units[at - 2] as number);
  return isAlone && at + 2 < end && ((units[at + 2] as number) === 0x2d || isAsciiLetter(units[at + 2] as number));
}

function hyphen(units: Uint16Array, at: number, end: number): number {
  if (at === 0 || at + 1 >= end || !isAsciiLetter(units[at - 1] as number)) return 0;
  const next = units[at + 1] as number;
  if (next === 0x2d)
    return at > 1 && ((units[at - 1] as number) | 0x20) === 0x6e && ((units[at - 2] as number) | 0x20) === 0x78
      ? MARK.punycode
      : 0;
  if (((next ^ (units[at - 1] as number)) & ~0x20) === 0 && isStutterAt(units, at, end)) return MARK.hyphen;
  const isSplit = isAsciiLetter(next) ? isSplitAt(units, at, end) : next <= 0x20 && isSplitAtLineEnd(units, at, end);
  return isSplit ? MARK.hyphen : 0;
}

/**
 * A symbol counts if a letter or another leet symbol is next to it. For digits `withMeaning` has checked that already.
 */
function leet(units: Uint16Array, at: number, end: number): number {
  if (isDigit(units[at] as number)) return isLeetAt(units, at, end) ? MARK.leet : 0;
  const before = at > 0 && ((KIND[units[at - 1] as number] as number) & LEETED) !== 0;
  const after = at + 1 < end && ((KIND[units[at + 1] as number] as number) & LEETED) !== 0;
  return (before || after) && isLeetAt(units, at, end) ? MARK.leet : 0;
}

function piece(units: Uint16Array, at: number, end: number): number {
  const isMixed =
    (at > 0 && isAsciiLetter(units[at - 1] as number)) || (at + 1 < end && isAsciiLetter(units[at + 1] as number));
  return isMixed && isPieceAt(units, at, end) ? MARK.pieces : 0;
}

/** The dots of a tap code: `. .`. */
function isKnock(units: Uint16Array, at: number): boolean {
  return at > 1 && units[at - 1] === 0x20 && units[at - 2] === 0x2e;
}

/** A tab between spaces: indentation never looks like that. */
function isMixedBlank(units: Uint16Array, at: number, end: number): boolean {
  return at > 1 && at + 1 < end && units[at - 1] === 0x20 && units[at - 2] === 0x20 && units[at + 1] === 0x20;
}
