import { ASCII_LOOK_ALIKES, TABLE } from './ascii-look-alikes.ts';
import { DROP, MARK, SPACE, classOf } from './fold-classes.ts';
import { FIRST_BRACKETED, LAST_BRACKETED, foldedAlone } from './fold-alone.ts';
import { inOwnScript } from './own-script.ts';
import { isSeparator } from './separators.ts';
import { endOfEscape, isControl, lastTerminatorOf, rubbedOut, rubsOut, stepsLeft } from './terminal.ts';
import { isAlphanumeric, isAsciiLetter, textOfUnits, unitsOf } from './units.ts';

/**
 * The forms of a text with its disguise removed: as it looks, with as much ASCII as it looks like. This undoes what
 * invisible characters, look-alike letters, decoration and terminal tricks hid from the patterns. Folded text is never
 * used instead of the original, only beside it: a Russian word folds to junk.
 */
export interface Folds {
  /** Look-alikes as ASCII, Latin letters without marks. */
  readonly full: string;
  /** Only cleaned and NFKC-normalized, for patterns written in scripts other than Latin. */
  readonly light: string;
  /** Like `full`, but invisible characters between letters, and pictures, become spaces: they may have replaced one. */
  readonly spaced: string;
  /** Like `full`, but without pictures, if any of them is inside a word. */
  readonly bare: string;
  /** Like `full`, but with the other letter where a look-alike could be either of two, or be no letter. */
  readonly otherwise: string;
  /**
   * Like `full`, but without what a terminal would have erased or overwritten because of a delete or of cursor moves to
   * the left.
   */
  readonly rubbed: string;
  /** Like `light`, but with letters of one script in every word: in the middle of Russian, a Latin `o` is Russian. */
  readonly own: string;
}

/**
 * The stream-safe limit of UAX #15. Normalizing an unbounded run of marks is quadratic: 200,000 of them take seconds.
 */
const MOST_MARKS = 30;
/** Drawn like an `l` or like an `i` without its dot; only the word tells which. */
const PALOCHKA = '\u04cf';
/**
 * A Greek or Ukrainian letter beside a Latin one, or beside what stands for one. It may be an `i` or an `l`, so it
 * becomes `|`, which leet reads as either.
 */
const I_OR_L = /(?<=[\w@$+!|])[\u03b9\u0456]|[\u03b9\u0456](?=[\w@$+!|])/gu;
/** In words made of the signs of currencies and of letters with strokes, this `l` stands for an `i`. */
const STRUCK_L = /[łŁ]/g;
const STRUCK = /[₲₦₴₮₱ɆɄⱤ]/;
/** Signs that stand for a letter beside letters or beside what leet writes for them: `r€v€al`, `fr3€`. */
const LETTER_SIGN = /(?<=[a-z][\d@$+!|€£¥¢§]{0,2})[€£¥¢§]|[€£¥¢§](?=[\d@$+!|€£¥¢§]{0,2}[a-z])/giu;
const SIGN = /[€£¥¢§]/;
const LETTERS_OF_SIGNS: Readonly<Record<string, string>> = { '€': 'e', '£': 'l', '¥': 'y', '¢': 'c', '§': 's' };

/** Pictures and symbols: neither letters, marks, digits nor ASCII. */
const PICTURES = /[^\p{ASCII}\p{L}\p{M}\p{N}]+/gu;
const IN_WORD = /[A-Za-z][^\p{ASCII}\p{L}\p{M}\p{N}]+[A-Za-z]/u;

/** The `full` form alone; see `Folds`. */
export function fold(text: string): string {
  return foldedAlone(text)?.full ?? mapped(stripped(text, false).normalize('NFKC'));
}

/** One form after the other, each made when it is asked for. */
export function* foldsInTurn(text: string): Generator<readonly [name: keyof Folds, form: string]> {
  const alone = foldedAlone(text);
  const clean = alone === null ? stripped(text, false) : text;
  const light = alone?.light ?? clean.normalize('NFKC');
  const full = alone?.full ?? mapped(light);
  yield ['full', full];
  yield ['light', light];
  // Only where a character was dropped can there have been a space.
  const gapped = clean.length === text.length ? full : mapped(stripped(text, true).normalize('NFKC'));
  const hasPictures = alone === null || !alone.isAscii;
  yield ['spaced', hasPictures ? gapped.replaceAll(PICTURES, ' ') : gapped];
  yield ['bare', hasPictures && IN_WORD.test(full) ? full.replaceAll(PICTURES, '') : full];
  yield ['otherwise', mappedOtherwise(light) ?? full];
  yield ['rubbed', rubsOut(text) ? mapped(stripped(text, false, true).normalize('NFKC')) : full];
  yield ['own', inOwnScript(light)];
}

/** The text with the other letter wherever there are two; null if there is only one everywhere. */
function mappedOtherwise(light: string): string | null {
  const one = light.replaceAll(PALOCHKA, 'l').replaceAll(I_OR_L, '|');
  const other = STRUCK.test(one) ? one.replaceAll(STRUCK_L, 'i') : one;
  const isSigned = SIGN.test(other);
  if (other === light && !isSigned) return null;
  // Look-alikes become letters first, since a sign may be beside one.
  const whole = mapped(other);
  return isSigned ? whole.replaceAll(LETTER_SIGN, (sign) => LETTERS_OF_SIGNS[sign] as string) : whole;
}

/** The code point at an index. A lone surrogate stands for itself. */
function codeAt(units: Uint16Array, at: number, end: number): number {
  const unit = units[at] as number;
  if (unit < 0xd800 || unit > 0xdbff || at + 1 >= end) return unit;
  const low = units[at + 1] as number;
  return low >= 0xdc00 && low <= 0xdfff ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) : unit;
}

/**
 * Runs before NFKC: drops invisible characters and marks that no letter carries, cuts long runs of others, and applies
 * terminal sequences. Marks over ASCII stay: `mapped` drops those that are left. `gaps` puts a space where something
 * was dropped between two letters; `rubs` also applies delete characters and cursor moves to the left.
 */
function stripped(text: string, gaps: boolean, rubs = false): string {
  const units = unitsOf(text);
  const end = text.length;
  const out = new Uint16Array(end);
  const lastTerminator = lastTerminatorOf(text);
  let length = 0;
  let marks = 0;
  let dropped = false;
  for (let i = 0; i < end; i++) {
    const unit = units[i] as number;
    if (unit >= 0x20 && unit < 0x7f) {
      if (gaps && dropped && isAsciiLetter(unit) && isAsciiLetter(out[length - 1] ?? 0)) {
        // `out` cannot overflow: the space takes the room of a character that was dropped.
        out[length++] = 0x20;
      }
      dropped = false;
      marks = 0;
      out[length++] = unit;
      continue;
    }
    if (unit === 0x1b || (unit >= 0x90 && unit <= 0x9f && isControl(unit))) {
      const after = endOfEscape(text, i, lastTerminator);
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
      // Behind a letter of any script, these can stand for a space.
      if (gaps && isSeparator(code) && isOfWord(out[length - 1] ?? 0)) out[length++] = 0x20;
      else dropped = true;
      continue;
    }
    if (kind === MARK) {
      const letter = out[length - 1] ?? 0;
      const after = letter < 0x80 ? i : endOfLooseMarks(units, i, end);
      if (after > i) {
        length = carried(letter, units, i, after, out, length);
        i = after - 1;
        continue;
      }
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
  return textOfUnits(out, length);
}

/** Not a space, a mark or a picture. */
function isOfWord(unit: number): boolean {
  return unit < 0x80 ? isAlphanumeric(unit) : !isSeparator(unit) && (unit & 0xfc00) !== 0xdc00;
}

/**
 * Marks that belong to no script, and can be set over the letters of any: strokes through a letter, lines below it,
 * circles around it.
 */
function isLooseMark(unit: number): boolean {
  return (
    (unit >= 0x0300 && unit <= 0x036f) ||
    (unit >= 0x0483 && unit <= 0x0489) ||
    (unit >= 0x1ab0 && unit <= 0x1aff) ||
    (unit >= 0x1dc0 && unit <= 0x1dff) ||
    (unit >= 0x20d0 && unit <= 0x20ff) ||
    (unit >= 0xfe20 && unit <= 0xfe2f)
  );
}

function endOfLooseMarks(units: Uint16Array, from: number, end: number): number {
  let after = from;
  while (after < end && isLooseMark(units[after] as number)) after++;
  return after;
}

/** A Greek letter has up to three. */
const MOST_CARRIED = 3;

/**
 * Writes those of the marks that are part of the letter before them, as in a decomposed `й`, and not a stroke through
 * it. More marks than any letter carries are all decoration.
 */
function carried(
  letter: number,
  units: Uint16Array,
  from: number,
  after: number,
  out: Uint16Array,
  at: number,
): number {
  if (after - from > MOST_CARRIED) return at;
  let end = at;
  let whole = String.fromCharCode(letter);
  for (let i = from; i < after; i++) {
    const more = (whole + String.fromCharCode(units[i] as number)).normalize('NFC');
    if (more.length > 1) continue;
    whole = more;
    out[end++] = units[i] as number;
  }
  return end;
}

/** Runs after NFKC: turns look-alikes into ASCII, and drops marks over what is ASCII by then and loose ones. */
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
      if (overAscii || isLooseMark(code) || ++marks > MOST_MARKS) continue;
    } else {
      marks = 0;
      const target = code < TABLE ? (ASCII_LOOK_ALIKES[code] as number) : 0;
      overAscii = isAlphanumeric(target);
      if (target !== 0 || kind === SPACE) {
        out[length++] = kind === SPACE ? 0x20 : target;
        continue;
      }
    }
    if (code > 0xffff) out[length++] = units[i - 1] as number;
    out[length++] = units[i] as number;
  }
  return textOfUnits(out, length);
}
