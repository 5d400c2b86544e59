import { openLoginStart } from './open-login.ts';

/**
 * How far a text that still grows can be judged: up to the end of its last complete word. What follows may turn out
 * longer. A number that looks like a card number may become a longer one that is none, and half a key matches nothing
 * yet.
 */

/** A longer run without any boundary is no token but a blob, and a stream must not wait for its end. */
const MOST_OPEN_CHARS = 4096;

/**
 * Characters of tokens, keys and addresses, and the backslash of an escape that may be incomplete. Beyond ASCII: all
 * but spaces, punctuation, pictographs and the letters of scripts that put no space between words, which would hold a
 * stream forever.
 */
const INSIDE =
  /[A-Za-z0-9+/=_\-.\\%:@~&]|[^\x00-\x7f\s\p{P}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}]/u;

export function lastBoundary(text: string): number {
  const least = Math.max(0, text.length - MOST_OPEN_CHARS);
  const at = wordStart(text, text.length, least);
  if (at === least && least > 0) return text.length;
  return Math.min(groupStart(text, at), openLoginStart(text));
}

function wordStart(text: string, from: number, least: number): number {
  let at = from;
  while (at > least && isInside(text, at)) at -= 1;
  return at;
}

/**
 * Most characters are ASCII and are looked up in this table: each step of each stream does this character by character.
 */
const INSIDE_ASCII = Uint8Array.from({ length: 128 }, (_, unit) => (INSIDE.test(String.fromCharCode(unit)) ? 1 : 0));

function isInside(text: string, at: number): boolean {
  const unit = text.charCodeAt(at - 1);
  return unit < 128 ? INSIDE_ASCII[unit] === 1 : INSIDE.test(charBefore(text, at));
}

/** The character before `at`. A surrogate pair is tested as one character; half of a pair counts as inside a word. */
function charBefore(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1);
  if (unit >= 0xdc00 && unit <= 0xdfff && at > 1) return text.slice(at - 2, at);
  return unit >= 0xd800 && unit <= 0xdbff ? String.fromCodePoint(text.codePointAt(at - 1)!) : text[at - 1]!;
}

const MOST_GROUP_CHARS = 48;

/**
 * Card and account numbers are written in groups. The groups before the last word belong to it until it is complete.
 */
function groupStart(text: string, boundary: number): number {
  const least = Math.max(0, boundary - MOST_GROUP_CHARS);
  let start = boundary;
  for (;;) {
    if (start === 0 || !isJoint(text[start - 1]!)) return start;
    let at = start - 1;
    while (at > least && isGroup(text[at - 1]!)) at -= 1;
    if (at === least && least > 0) return boundary;
    if (at === start - 1 || !/[0-9]/.test(text.slice(at, start - 1))) return start;
    // A token may end like a group, and a group may stand behind `card:`: no word is cut at its digits.
    at = wordStart(text, at, least);
    if (at === least && least > 0) return boundary;
    start = at;
  }
}

/** Blanks and the dashes beyond ASCII, of every width: a printer sets numbers with them. */
const JOINT = /[ \u00a0\u2000-\u200a\u2010-\u2015\u202f\u205f\u2212\u3000\ufe58\ufe63\uff0d]/;

function isJoint(char: string): boolean {
  return JOINT.test(char);
}

function isGroup(char: string): boolean {
  return (
    (char >= '0' && char <= '9') ||
    (char >= 'A' && char <= 'Z') ||
    char === '-' ||
    char === '+' ||
    char === '(' ||
    char === ')' ||
    char === '.'
  );
}
