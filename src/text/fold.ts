import { ASCII_LIKENESS, TABLE } from './likeness.ts';
import { eachMember } from './members.ts';
import { unitsOf } from './units.ts';

/**
 * Text as it looks, in as much ASCII as it looks like: what invisible characters, look-alike letters, decoration and
 * terminal tricks hid from the patterns. Never used instead of the text, only beside it: a Russian word folds to junk.
 */
export interface Folds {
  /** Look-alikes as ASCII, without marks over Latin letters. */
  readonly full: string;
  /** Only cleaned and normalised, for patterns written in other scripts than Latin. */
  readonly light: string;
  /** As `full`, but invisible characters between letters count as spaces, and so do pictures: they may have stood for one. */
  readonly spaced: string;
  /** As `full`, but without the pictures, where they stand inside words. */
  readonly bare: string;
  /** As `full`, but with the other letter where a look-alike could be either of two. */
  readonly otherwise: string;
  /** As `full`, but what a terminal would have rubbed out or written over is gone: a delete, or steps to the left. */
  readonly rubbed: string;
}

/** UAX #15's stream-safe limit. Normalising an unbounded run of marks is quadratic: 200,000 of them take seconds. */
const MOST_MARKS = 30;
/** U+FDFA becomes 18 characters; nothing that expands this much spells a word, so it counts as a space. */
const MOST_EXPANSION = 4;

/** Drawn as an i without its dot, or as an l: only the word tells. */
const PALOCHKA = '\u04cf';

/** What is left of pictures and signs that are no letter, no digit and nothing in ASCII. */
const PICTURES = /[^\p{ASCII}\p{L}\p{M}\p{N}]+/gu;
const IN_WORD = /[A-Za-z][^\p{ASCII}\p{L}\p{M}\p{N}]+[A-Za-z]/u;

/** Small letters with brackets around them in one character. NFKC would make three of each, which no word survives. */
const FIRST_BRACKETED = 0x249c;
const LAST_BRACKETED = 0x24b5;

/** A delete, or a sequence that moves the cursor to the left. */
const RUBS = /\x7f|(?:\x1b\[|\x9b)[0-9]{0,2}D/;
const LEFT = 0x44;
const MOST_STEPS = 99;

/** An escape and a bracket in one character. */
const CONTROL_SEQUENCE = 0x9b;

const KEEP = 0;
const DROP = 1;
const MARK = 2;
const SPACE = 3;

const CLASS = classes();

export function fold(text: string): string {
  return mapped(stripped(text, false).normalize('NFKC'));
}

/**
 * For text in which nothing is hidden: quotes, dashes and spaces as ASCII has them, and letters without their accents, one
 * character for one. Other scripts stay as they are.
 */
export function lightly(text: string): string {
  const { length } = text;
  const units = unitsOf(text);
  const out = new Uint16Array(length);
  for (let i = 0; i < length; i++) {
    const unit = units[i] as number;
    out[i] = unit < 0x80 ? unit : (LIGHT[unit] as number);
  }
  return textOf(out, length);
}

export function folds(text: string): Folds {
  const clean = stripped(text, false);
  const light = clean.normalize('NFKC');
  const full = mapped(light);
  // Only what was left out can have been a space.
  const gapped = clean.length === text.length ? full : mapped(stripped(text, true).normalize('NFKC'));
  const spaced = gapped.replaceAll(PICTURES, ' ');
  const bare = IN_WORD.test(full) ? full.replaceAll(PICTURES, '') : full;
  const rubbed = RUBS.test(text) ? mapped(stripped(text, false, true).normalize('NFKC')) : full;
  return {
    full,
    light,
    spaced,
    bare,
    rubbed,
    otherwise: light.includes(PALOCHKA) ? mapped(light.replaceAll(PALOCHKA, 'l')) : full,
  };
}

function classOf(code: number): number {
  if (code < TABLE) return CLASS[code] as number;
  return code >= 0xe0000 && code < 0xe1000 ? DROP : KEEP;
}

/** A half by itself is itself. */
function codeAt(units: Uint16Array, at: number, end: number): number {
  const unit = units[at] as number;
  if (unit < 0xd800 || unit > 0xdbff || at + 1 >= end) return unit;
  const low = units[at + 1] as number;
  return low >= 0xdc00 && low <= 0xdfff ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) : unit;
}

/** Before NFKC: what is not seen goes, runs of marks are cut, terminal sequences have their effect. */
function stripped(text: string, gaps: boolean, rubs = false): string {
  const units = unitsOf(text);
  const end = text.length;
  const out = new Uint16Array(end);
  const lastTerminator = Math.max(text.lastIndexOf('\u0007'), text.lastIndexOf('\u001b\\'));
  let length = 0;
  let marks = 0;
  let dropped = false;
  for (let i = 0; i < end; i++) {
    const unit = units[i] as number;
    if (unit >= 0x20 && unit < 0x7f) {
      if (gaps && dropped && isLetter(unit) && isLetter(out[length - 1] ?? 0)) {
        // There is room: the space stands for a character that was dropped.
        out[length++] = 0x20;
      }
      dropped = false;
      marks = 0;
      out[length++] = unit;
      continue;
    }
    if (unit === 0x1b || unit === CONTROL_SEQUENCE) {
      const after = unit === 0x1b ? endOfEscape(text, i, lastTerminator) : endOfSequence(text, i + 1);
      for (let steps = rubs ? stepsLeft(text, i, after) : 0; steps > 0; steps--) length = rubbedOut(out, length);
      i = after - 1;
      continue;
    }
    if (unit === 0x08 || (rubs && unit === 0x7f)) {
      length = rubbedOut(out, length);
      continue;
    }
    if (unit === 0x0d) {
      if (i + 1 >= end || units[i + 1] !== 0x0a) out[length++] = 0x0a;
      continue;
    }
    const code = codeAt(units, i, end);
    if (code >= 0xd800 && code <= 0xdfff) continue;
    if (code > 0xffff) i++;
    const kind = classOf(code);
    if (kind === DROP) {
      dropped = true;
      continue;
    }
    if (kind === MARK) {
      if (++marks > MOST_MARKS) continue;
    } else marks = 0;
    dropped = false;
    if (kind === SPACE) out[length++] = 0x20;
    else if (code >= FIRST_BRACKETED && code <= LAST_BRACKETED) out[length++] = 0x61 + code - FIRST_BRACKETED;
    else if (code > 0xffff) {
      out[length++] = units[i - 1] as number;
      out[length++] = units[i] as number;
    } else out[length++] = code;
  }
  return textOf(out, length);
}

/** A backspace rubs out what stands before it, as a terminal and a printer do; never across a line. */
function rubbedOut(out: Uint16Array, length: number): number {
  if (length === 0 || out[length - 1] === 0x0a) return length;
  return length - (isLowSurrogate(out[length - 1] as number) ? 2 : 1);
}

/** How far a control sequence moves to the left: what follows is written over so many characters. */
function stepsLeft(text: string, start: number, end: number): number {
  if (text.charCodeAt(end - 1) !== LEFT) return 0;
  const first = text.charCodeAt(start) === CONTROL_SEQUENCE ? start + 1 : start + 2;
  const count = Number(text.slice(first, end - 1) || 1);
  return Number.isInteger(count) ? Math.min(Math.max(1, count), MOST_STEPS) : 0;
}

/** After NFKC: look-alikes become ASCII, and marks over what is ASCII now go. */
function mapped(text: string): string {
  const units = unitsOf(text);
  const end = text.length;
  const out = new Uint16Array(end);
  let length = 0;
  let marks = 0;
  let overAscii = false;
  for (let i = 0; i < end; i++) {
    const unit = units[i] as number;
    if (unit < 0x7f) {
      out[length++] = unit;
      overAscii = unit >= 0x20;
      marks = 0;
      continue;
    }
    const code = codeAt(units, i, end);
    if (code > 0xffff) i++;
    const kind = classOf(code);
    if (kind === DROP) continue;
    if (kind === MARK) {
      if (overAscii || ++marks > MOST_MARKS) continue;
    } else {
      marks = 0;
      const target = code < TABLE ? (ASCII_LIKENESS[code] as number) : 0;
      overAscii = isAlphanumeric(target);
      if (target !== 0 || kind === SPACE) {
        out[length++] = kind === SPACE ? 0x20 : target;
        continue;
      }
    }
    if (code > 0xffff) out[length++] = units[i - 1] as number;
    out[length++] = units[i] as number;
  }
  return textOf(out, length);
}

/** Just after the control sequence or string that starts at `from`; one that never ends is only its first two characters. */
function endOfEscape(text: string, from: number, lastTerminator: number): number {
  const kind = text.charCodeAt(from + 1);
  if (kind === 0x5b) return endOfSequence(text, from + 2);
  // Of a change of the character set the last belongs to it, whatever it is: `ESC ( B`.
  if (kind >= 0x20 && kind < 0x30 && from + 2 < text.length) return from + 3;
  // Only strings whose end exists are looked for, so that a million openings do not each search to the end.
  if ((kind === 0x5d || kind === 0x50 || kind === 0x5f || kind === 0x5e) && lastTerminator > from) {
    for (let i = from + 2; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit === 0x07) return i + 1;
      if (unit === 0x1b) return text.charCodeAt(i + 1) === 0x5c ? i + 2 : i;
    }
  }
  return kind >= 0x40 && kind < 0x7f ? from + 2 : from + 1;
}

/** Behind the parameters of a control sequence and its last character. */
function endOfSequence(text: string, from: number): number {
  let i = from;
  while (i < text.length && text.charCodeAt(i) >= 0x20 && text.charCodeAt(i) < 0x40) i++;
  const final = text.charCodeAt(i);
  return final >= 0x40 && final <= 0x7e ? i + 1 : i;
}

function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isAlphanumeric(unit: number): boolean {
  return isLetter(unit) || (unit >= 0x30 && unit <= 0x39);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function textOf(units: Uint16Array, length: number): string {
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
}

function classes(): Uint8Array {
  const table = new Uint8Array(TABLE);
  eachMember(
    TABLE,
    [/\p{M}+/gu, (code) => (table[code] = MARK)],
    [/[\p{Zs}\p{Zl}\p{Zp}\u0085]+/gu, (code) => (table[code] = SPACE)],
    [/[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffd]+/gu, (code) => (table[code] = DROP)],
  );
  // Blank, and to no tokenizer a space: between words the reading with gaps has one.
  table[0x2800] = DROP;
  table[0x85] = SPACE;
  table.fill(DROP, 0x00, 0x09);
  table.fill(SPACE, 0x0b, 0x0d);
  table.fill(DROP, 0x0e, 0x1c);
  table.fill(SPACE, 0x1c, 0x20);
  table[0x7f] = DROP;
  for (const [first, last] of [
    [0x2000, 0x33ff],
    [0xfb00, 0xfdff],
    [0x1f100, 0x1f2ff],
  ] as const) {
    for (let code = first; code <= last; code++) {
      if (String.fromCodePoint(code).normalize('NFKC').length > MOST_EXPANSION) table[code] = SPACE;
    }
  }
  return table;
}

/** Latin letters, punctuation and spaces: the one character that each folds to. */
const LIGHT = lights();

function lights(): Uint16Array {
  const table = new Uint16Array(0x10000);
  for (let unit = 0; unit < table.length; unit++) table[unit] = unit;
  for (const [first, last] of [
    [0x80, 0x24f],
    [0x1e00, 0x206f],
    [0x2212, 0x2212],
    [0x3000, 0x3000],
  ] as const) {
    for (let unit = first; unit <= last; unit++) {
      const plain = fold(String.fromCharCode(unit));
      if (plain.length === 1) table[unit] = plain.charCodeAt(0);
    }
  }
  return table;
}
