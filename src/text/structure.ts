/**
 * The state machine for the structure of JSON-like text between its strings: what may come next, how deep it is, and
 * whether it has been well-formed so far.
 */

/** What may come next. A value is allowed in the first two states. */
const VALUE = 0;
const VALUE_OR_CLOSE = 1;
const KEY_OR_CLOSE = 2;
const KEY = 3;
export const COLON = 4;
const COMMA_OR_CLOSE = 5;
export const AFTER = 6;

const QUOTE = 34;

const FIRST = 2;
const IN_NUMBER = Uint8Array.from({ length: 128 }, (_, unit) => {
  const char = String.fromCharCode(unit);
  return /[-0-9]/.test(char) ? FIRST : /[.+eE]/.test(char) ? 1 : 0;
});

export function isNumber(first: number): boolean {
  return IN_NUMBER[first] === FIRST;
}

/** A whole number of so many digits can be that of a card, an account or a person. */
const LONG_DIGITS = 9;
export const LONG_INTEGER = new RegExp(`^[-0-9]{${LONG_DIGITS},}$`);

/** The state of reading a document. */
export interface Walk {
  readonly many: boolean;
  readonly levels: number;
  /** Whether the listener wants to hear of long whole numbers. */
  readonly tellsNumbers: boolean;
  state: number;
  sound: boolean;
  depth: number;
  inObject: boolean;
  /** One bit per level, set for an object and cleared when it closes. Arrays leave no trace. */
  objects: Uint8Array;
  /**
   * Scalars counted and not yet reported. They are not reported one by one: embeddings, and bombs, are lists of
   * millions.
   */
  scalars: number;
  numbers: boolean;
}

export function startOf(many: boolean, levels: number, tellsNumbers: boolean): Walk {
  return {
    many,
    levels,
    tellsNumbers,
    state: VALUE,
    sound: true,
    depth: 0,
    inObject: false,
    objects: new Uint8Array(16),
    scalars: 0,
    numbers: false,
  };
}

/**
 * Skips everything the listener need not know about in `[from, to)` of the window, and returns where it stopped. The
 * character at `to` must be in the window too. This is a separate function because it is called for every window, so
 * that the engine soon compiles it, whatever a bomb consists of. A loop over a whole body is entered once and stays
 * interpreted for as long as the bomb lasts.
 */
export function skipStructure(walk: Walk, units: Uint16Array, from: number, to: number): number {
  const { levels } = walk;
  let i = from;
  for (;;) {
    i = skipScalars(walk, units, i, to);
    if (i >= to) return i;
    const code = units[i] as number;
    if (code === 123 || code === 91) {
      if (walk.depth < levels) return i;
      // Skips all but the last of a row of nested opening brackets `[[[[`.
      const end = code === 91 ? endOfLists(units, i, to) : i + 1;
      if (end > i + 1) {
        open(walk, code);
        walk.depth += end - i - 2;
        i = end - 1;
        if (units[end] === 93) continue;
      }
      open(walk, code);
      i++;
    } else if (code === 125 || code === 93) {
      if (walk.depth <= levels) return i;
      close(walk, code);
      i++;
    } else return i;
  }
}

function endOfLists(units: Uint16Array, from: number, to: number): number {
  let end = from + 1;
  while (end < to && units[end] === 91) end++;
  return end;
}

/** Skips the scalars of one container, up to a quote, a bracket or a name. */
function skipScalars(walk: Walk, units: Uint16Array, from: number, to: number): number {
  const { depth, inObject, many, tellsNumbers } = walk;
  const afterValue = depth > 0 ? COMMA_OR_CLOSE : AFTER;
  let { state } = walk;
  let i = from;
  let scalars = 0;
  for (; i < to; i++) {
    const code = units[i] as number;
    if (code === 44) {
      if (state !== COMMA_OR_CLOSE) walk.sound = false;
      if (depth > 0) state = inObject ? KEY : VALUE;
    } else if (code === 123 || code === 91) {
      // An empty container is not opened at all, so a bomb of them costs no more than one of numbers.
      if (units[i + 1] !== code + 2) break;
      if (state > VALUE_OR_CLOSE && !(many && state === AFTER)) walk.sound = false;
      state = afterValue;
      scalars++;
      i++;
    } else if (isNumber(code)) {
      let end = i + 1;
      while (end < to && (IN_NUMBER[units[end] as number] ?? 0) !== 0) end++;
      // The number may continue after the window.
      if (end >= to) break;
      if (tellsNumbers && end - i >= LONG_DIGITS && isLongInteger(units, i, end)) break;
      if (state > VALUE_OR_CLOSE && !(many && state === AFTER)) walk.sound = false;
      state = afterValue;
      scalars++;
      walk.numbers = true;
      i = end - 1;
    } else if (code === 58) {
      if (state !== COLON) walk.sound = false;
      else state = VALUE;
    } else if (code === QUOTE || code === 125 || code === 93 || code === 116 || code === 102 || code === 110) break;
    else if (code !== 32 && code !== 10 && code !== 13 && code !== 9) walk.sound = false;
  }
  walk.state = state;
  walk.scalars += scalars;
  return i;
}

function isLongInteger(units: Uint16Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (IN_NUMBER[units[i] as number] !== FIRST) return false;
  return true;
}

export function beginValue(walk: Walk): void {
  if (walk.state > VALUE_OR_CLOSE && !(walk.many && walk.state === AFTER)) walk.sound = false;
}

export function endValue(walk: Walk): void {
  walk.state = walk.depth > 0 ? COMMA_OR_CLOSE : AFTER;
}

export function scalar(walk: Walk, first: number): void {
  beginValue(walk);
  walk.scalars++;
  if (isNumber(first)) walk.numbers = true;
  endValue(walk);
}

/** Whether a string at this point is a key. */
export function expectsKey({ state }: Walk): boolean {
  return state === KEY || state === KEY_OR_CLOSE;
}

export function open(walk: Walk, code: number): void {
  beginValue(walk);
  const { depth } = walk;
  walk.inObject = code === 123;
  if (walk.inObject) {
    if (depth >> 3 >= walk.objects.length) walk.objects = widened(walk.objects, depth >> 3);
    walk.objects[depth >> 3]! |= 1 << (depth & 7);
  }
  walk.depth = depth + 1;
  walk.state = walk.inObject ? KEY_OR_CLOSE : VALUE_OR_CLOSE;
}

/** Returns whether there was anything to close. */
export function close(walk: Walk, code: number): boolean {
  const { depth, inObject } = walk;
  if (walk.state !== COMMA_OR_CLOSE && walk.state !== (code === 125 ? KEY_OR_CLOSE : VALUE_OR_CLOSE))
    walk.sound = false;
  if (depth === 0 || inObject !== (code === 125)) walk.sound = false;
  if (depth > 0) {
    const { objects } = walk;
    if (inObject) objects[(depth - 1) >> 3]! &= ~(1 << ((depth - 1) & 7));
    walk.depth = depth - 1;
    walk.inObject = depth > 1 && ((objects[(depth - 2) >> 3] ?? 0) & (1 << ((depth - 2) & 7))) !== 0;
  }
  endValue(walk);
  return depth > 0;
}

function widened(objects: Uint8Array, to: number): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(Math.max(2 * objects.length, to + 1));
  wider.set(objects);
  return wider;
}

/** Digits, signs, dots and exponents in any order count as a number: no text can hide in these few characters. */
export function endOfNumber(text: string, from: number): number {
  let end = from;
  while (end < text.length && (IN_NUMBER[text.charCodeAt(end)] ?? 0) !== 0) end++;
  return end;
}
