/**
 * A password may hold any sign, also those that end words. Where one is being told at the end of a text that grows, it
 * waits from the words before it on, since a match may begin with these.
 */

/** More than a login is long, with what it is told by. */
const MOST_CHARS = 240;

/** A quote is a part of a password where a letter or digit follows, and nobody knows yet what follows the last one. */
const SECRET = /(?:[!#-&(-;=?-[\]-_a-~]|["'`\\](?=["'`\\A-Za-z0-9])){1,160}["'`\\]?$/.source;
const NAME = /(?:pass(?:word|wd|wort|phrase|code)?|pwd|secret|token|credentials?|key|auth)/.source;
/** An address, a flag, a name and its sign, a word, a line of `.pgpass`. */
const BEFORE_SECRET = [
  /[a-z][a-z0-9+.-]{1,24}:\/\//.source,
  /(?:^|\s)(?:-[upa]|--user|--proxy-user|--login|--pass(?:word|wd)?)[ =]{0,2}["']?/.source,
  NAME + /[a-z0-9_]{0,16}["'`\\\])]{0,3}[ \t]{0,4}(?:[:=?]{1,4}>?|,)[ \t]{0,4}[\\"'`(]{0,3}/.source,
  /pass(?:word|wd|phrase)?\s(?:(?:is|was)\s)?\s{0,3}["'`]?/.source,
  /[\w.*-]{1,60}:(?:\d{4,5}|\*):[\w.*-]{1,40}:[\w.@*-]{1,40}:/.source,
];
const OPEN = new RegExp(`(?:${BEFORE_SECRET.join('|')})${SECRET}`, 'i');
/** Between quotes it may hold blanks. */
const OPEN_QUOTE =
  /(?:\s-[upa]|--user|--proxy-user|--login|--pass(?:word|wd)?|(?:pass(?:word|wd|phrase)?|pwd)["'`\\]{0,3}\s{0,2}[:=])[ =]{0,2}(?:"[^"\n]{0,120}|'[^'\n]{0,120})$/i;
const MAY_BEGIN = new RegExp(`://|:(?:\\d{4,5}|\\*):|\\s--?[upal]|^--?[upal]|${NAME}`, 'i');

/** Where a login begins that has not ended yet; the length of the text where there is none. */
export function openLoginStart(text: string): number {
  const from = Math.max(0, text.length - MOST_CHARS);
  const tail = text.slice(from);
  if (!MAY_BEGIN.test(tail)) return text.length;
  let first = tail.length;
  for (const open of [OPEN, OPEN_QUOTE]) first = Math.min(first, open.exec(tail)?.index ?? first);
  return from + first;
}
