import { ASCII_LOOK_ALIKES } from './ascii-look-alikes.ts';
import { DROP, KEEP, MARK, SPACE, classOf } from './fold-classes.ts';
import { textOfUnits, unitsOf } from './units.ts';

/**
 * Folding from a table, for texts of characters that fold alone: whatever stands beside them, each becomes the same.
 * Nearly all texts in other scripts, and text in letters of full width, are made of nothing else. They are folded in one
 * pass, at a tenth of what cleaning, normalizing and mapping them takes.
 */
export interface Alone {
  readonly full: string;
  readonly light: string;
  /** The full form has no character beyond ASCII. */
  readonly isAscii: boolean;
}

/** Parenthesized lowercase letters in one character each, as in fold.ts. */
export const FIRST_BRACKETED = 0x249c;
export const LAST_BRACKETED = 0x24b5;

const UNKNOWN = 0;
/** Becomes one character, in either form. */
const ONE = 1;
/** Becomes several. */
const SEVERAL = 2;
/** What it becomes depends on what stands beside it. */
const JOINS = 3;

/** What is known of each character so far: all of them at once would take a quarter of a second. */
const HOW = new Uint8Array(0x10000);
const LIGHT = new Uint16Array(0x10000);
const FULL = new Uint16Array(0x10000);
const FORMS = new Map<number, { readonly light: string; readonly full: string }>();

/** Most characters that one becomes. Rarer ones are left to fold.ts. */
const MOST = 4;

/** Null where a character of the text does not fold alone. */
export function foldedAlone(text: string): Alone | null {
  const units = unitsOf(text);
  const end = text.length;
  let several = 0;
  for (let i = 0; i < end; i++) {
    const unit = units[i] as number;
    let how = HOW[unit] as number;
    if (how === UNKNOWN) how = HOW[unit] = learned(unit);
    if (how === ONE) continue;
    if (how === SEVERAL) several++;
    else if (i + 1 < end && isPicture(unit, units[i + 1] as number)) i++;
    else return null;
  }
  const light = new Uint16Array(end + several * (MOST - 1));
  const full = new Uint16Array(light.length);
  let ofLight = 0;
  let ofFull = 0;
  let beyond = 0;
  for (let i = 0; i < end; i++) {
    const unit = units[i] as number;
    const how = HOW[unit] as number;
    if (how === SEVERAL) {
      const forms = FORMS.get(unit)!;
      for (let k = 0; k < forms.light.length; k++) light[ofLight++] = forms.light.charCodeAt(k);
      for (let k = 0; k < forms.full.length; k++) beyond |= full[ofFull++] = forms.full.charCodeAt(k);
      continue;
    }
    // Half of a picture stays as it is.
    light[ofLight++] = how === ONE ? (LIGHT[unit] as number) : unit;
    beyond |= full[ofFull++] = how === ONE ? (FULL[unit] as number) : unit;
  }
  return { light: textOfUnits(light, ofLight), full: textOfUnits(full, ofFull), isAscii: beyond < 0x80 };
}

/** A picture or an ideograph outside of the basic plane that folding leaves as it is. */
function isPicture(high: number, low: number): boolean {
  if (high < 0xd83c || high > 0xd87d || low < 0xdc00 || low > 0xdfff) return false;
  const code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
  if (code >= FIRST_IDEOGRAPH) return true;
  return code >= FIRST_PICTURE && code <= LAST_PICTURE && classOf(code) === KEEP && ASCII_LOOK_ALIKES[code] === 0;
}

/** Below are letters in boxes and circles, and above are digits, all of which become ASCII. */
const FIRST_PICTURE = 0x1f300;
const LAST_PICTURE = 0x1faff;
const FIRST_IDEOGRAPH = 0x20000;

function learned(unit: number): number {
  if (unit < 0x80) {
    if ((unit < 0x20 && unit !== 0x09 && unit !== 0x0a) || unit === 0x7f) return JOINS;
    LIGHT[unit] = FULL[unit] = unit;
    return ONE;
  }
  const kind = classOf(unit);
  if (kind === DROP || kind === MARK || (unit >= 0xd800 && unit <= 0xdfff)) return JOINS;
  const light =
    kind === SPACE
      ? ' '
      : unit >= FIRST_BRACKETED && unit <= LAST_BRACKETED
        ? String.fromCharCode(0x61 + unit - FIRST_BRACKETED)
        : String.fromCharCode(unit).normalize('NFKC');
  let full = '';
  for (let i = 0; i < light.length; i++) {
    const code = light.charCodeAt(i);
    const its = classOf(code);
    if (code === 0x7f || its === DROP || its === MARK || isPart(code)) return JOINS;
    const target = ASCII_LOOK_ALIKES[code] as number;
    if (code < 0x7f || (target === 0 && its !== SPACE)) full += light[i]!;
    else full += its === SPACE ? ' ' : String.fromCharCode(target);
  }
  if (light.length === 1) {
    LIGHT[unit] = light.charCodeAt(0);
    FULL[unit] = full.charCodeAt(0);
    return ONE;
  }
  if (light.length > MOST) return JOINS;
  FORMS.set(unit, { light, full });
  return SEVERAL;
}

/** Parts of Korean syllables, which join without being marks, and halves of surrogate pairs. */
function isPart(code: number): boolean {
  return (code >= 0x1100 && code <= 0x11ff) || (code >= 0xa960 && code <= 0xa97f) || (code >= 0xd7b0 && code <= 0xdfff);
}
