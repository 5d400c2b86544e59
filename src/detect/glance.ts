import { unitsOf } from '../text/units.ts';
import type { Key } from './keys.ts';
import { rarer } from './literals.ts';
import type { Sought } from './literals.ts';
import type { Atom, Rule } from './rule.ts';
import { createSpotter, nothingSpotted } from './spotter.ts';
import { windows } from './windows.ts';

/**
 * The first look at a text: which rules have their words there, and where, close enough together. It never decides: a word
 * is less than its pattern. But what it does not see cannot match, and on ordinary text it sees next to nothing. Every rule
 * waits for the rarest of its words, its trigger; only around one are its other words asked for.
 */
export interface Glance {
  /** Null when cancelled. */
  readonly look: (text: string, cancelled: () => boolean) => Sightings | null;
}

/** From character to character, in order, not touching. */
export type Ranges = readonly (readonly [from: number, to: number])[];

/** What of a rule was seen: one of its patterns, or its groups. */
export interface Sight {
  readonly rule: Rule;
  readonly what: number | 'near' | 'all';
}

export type Sightings = ReadonlyMap<Sight, Ranges>;

/** A word may stand anywhere in its pattern, and blanks in the text may be longer than in the pattern. */
const SLACK = 64;
const MOST_CHARS = 400;
const MOST_WIDTH = 96;
/** Wider than that a range is the text: the places in between are not worth their bookkeeping. */
const MOST_RANGES = 64;
/** Units read, and keys weighed, before it is asked whether anybody still waits. */
const SLICE = 65_536;
const BLOCK = 4096;
const OVERLAP = 2048;
/** More groups than bits of the mask that says which were met are not asked for here; the engine asks for all. */
const MOST_OTHERS = 8;
const CHARS_OF_A_WORD = 6;
/** Expected so often within reach on each side, a word tells nothing. */
const SURE = 3;
const NOTHING: Sightings = new Map();

/** A sign beside the trigger: before it, behind it, or on either side. */
interface Other {
  readonly sign: number;
  readonly before: boolean;
  readonly behind: boolean;
}

/** Signs that must stand together for a rule to be worth asking about. A sign is a group of keys of which one was spotted. */
interface Condition extends Sight {
  readonly trigger: number;
  readonly others: readonly Other[];
  /** Characters between the trigger and any of the others. */
  readonly reach: number;
}

export function createGlance(
  atoms: readonly Atom[],
  rules: readonly Rule[],
  /** Atoms without any word of their own: only the engine can see them. */
  markBlind: (blind: readonly number[]) => ((bytes: Buffer, present: Uint8Array) => void) | null,
): Glance | null {
  const numbers = new Map<string, number>();
  const distinct: Key[] = [];
  const numberOf = (key: Key): number => {
    const name = `${key.kind}:${key.text}`;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, distinct.length);
    distinct.push(key);
    return distinct.length - 1;
  };
  const signs = new Map<string, number>();
  /** Of each sign its keys, by their place in `distinct`. */
  const keysOfSign: Int32Array[] = [];
  const signFor = ({ keys }: Sought): number => {
    const members = Int32Array.from(new Set(keys.map(numberOf))).sort();
    const name = members.join();
    const known = signs.get(name);
    if (known !== undefined) return known;
    signs.set(name, keysOfSign.length);
    keysOfSign.push(members);
    return keysOfSign.length - 1;
  };

  const conditions: Condition[] = [];
  const everywhere: (Sight & { readonly signs: readonly number[] })[] = [];
  const blindOnly: (Sight & { readonly atoms: readonly number[] })[] = [];
  for (const rule of rules) {
    for (const atom of rule.patterns) {
      const { groups, max } = atoms[atom]!;
      if (groups === null) {
        blindOnly.push({ rule, what: atom, atoms: [atom] });
        continue;
      }
      const trigger = groups.indexOf(groups.reduce(rarer));
      const reach = Math.min(max, MOST_CHARS) + SLACK;
      const others = groups.flatMap((group, i) =>
        i === trigger || !tells(group, reach)
          ? []
          : [{ sign: signFor(group), before: i < trigger, behind: i > trigger }],
      );
      conditions.push({ rule, what: atom, trigger: signFor(groups[trigger]!), others, reach });
    }
    for (const what of ['near', 'all'] as const) {
      const group = rule[what];
      if (group.length === 0) continue;
      const seen = group.flatMap((atom) => atoms[atom]!.groups?.reduce(rarer) ?? []);
      const [trigger, ...others] = seen.sort((a, b) => a.share - b.share);
      if (trigger === undefined) blindOnly.push({ rule, what, atoms: group });
      else if (what === 'all') everywhere.push({ rule, what, signs: [trigger, ...others].map(signFor) });
      else {
        const reach = rule.span + 2 * widthOf(atoms, group) + SLACK;
        const either = others
          .filter((other) => tells(other, reach))
          .slice(0, MOST_OTHERS)
          .map((other) => ({ sign: signFor(other), before: true, behind: true }));
        conditions.push({ rule, what, trigger: signFor(trigger), others: either, reach });
      }
    }
  }
  const watched = [...new Set(blindOnly.flatMap((one) => one.atoms))];
  const mark = markBlind(watched);
  if (mark === null) return null;

  const spotter = createSpotter(distinct);
  const spottedAs = Int32Array.from(distinct, spotter.numberOf);
  const signsOfKey: number[][] = Array.from({ length: spotter.count }, () => []);
  for (const [sign, keys] of keysOfSign.entries())
    for (const number of new Set(keys.map((key) => spottedAs[key]!))) signsOfKey[number]!.push(sign);
  const triggered: Condition[][] = keysOfSign.map(() => []);
  for (const condition of conditions) triggered[condition.trigger]!.push(condition);
  const triggersOfKey = signsOfKey.map((of) => of.flatMap((sign) => triggered[sign]!));
  const farthest = conditions.reduce((most, { reach }) => Math.max(most, reach), 0);
  const startsAll = new Uint8Array(spotter.count);
  for (const { signs } of everywhere) for (const key of keysOfSign[signs[0]!]!) startsAll[spottedAs[key]!] = 1;

  // Of the look that is under way. A look is never interrupted by another, and what is made anew for each costs more than
  // a short text.
  const spotted = nothingSpotted();
  const last = new Float64Array(keysOfSign.length);
  const next = new Float64Array(keysOfSign.length);
  const present = new Uint8Array(atoms.length);
  let met = new Uint8Array(4096);

  /**
   * For each trigger, its conditions, and which of their other signs stand within reach on either side: one sweep forwards
   * and one back, so that a text of nothing but triggers costs a little for each and not a search around each.
   */
  function meetings(from: number, to: number, length: number, sightings: Map<Sight, [number, number][]>): void {
    const { keys, ends } = spotted;
    let at = 0;
    for (let i = from; i < to; i += 1) {
      const key = keys[i]!;
      const end = ends[i]!;
      const signs = signsOfKey[key]!;
      for (let k = 0; k < signs.length; k += 1) last[signs[k]!] = end;
      const waiting = triggersOfKey[key]!;
      if (at + waiting.length > met.length) met = longer(met);
      for (let k = 0; k < waiting.length; k += 1) {
        const { others, reach } = waiting[k]!;
        let mask = 0;
        for (let m = 0; m < others.length; m += 1) {
          const { sign, before } = others[m]!;
          if (before && last[sign]! >= end - reach) mask |= 1 << m;
        }
        met[at] = mask;
        at += 1;
      }
    }
    next.fill(Infinity);
    let ahead = to;
    const horizon = (ends[to - 1] ?? 0) + farthest;
    while (ahead < spotted.count && ends[ahead]! <= horizon) ahead += 1;
    for (let i = ahead - 1; i >= from; i -= 1) {
      const key = keys[i]!;
      const end = ends[i]!;
      const signs = signsOfKey[key]!;
      for (let k = 0; k < signs.length; k += 1) next[signs[k]!] = end;
      if (i >= to) continue;
      const waiting = triggersOfKey[key]!;
      for (let k = waiting.length - 1; k >= 0; k -= 1) {
        const { others, reach } = waiting[k]!;
        at -= 1;
        for (let m = 0; m < others.length; m += 1) {
          const { sign, behind } = others[m]!;
          if (behind && next[sign]! <= end + reach) met[at]! |= 1 << m;
        }
      }
    }
    for (let i = from; i < to; i += 1) {
      const end = ends[i]!;
      for (const condition of triggersOfKey[keys[i]!]!) {
        if (met[at] === (1 << condition.others.length) - 1)
          note(sightings, condition, Math.max(0, end - condition.reach), Math.min(length, end + condition.reach));
        at += 1;
      }
    }
  }

  return {
    look(text, cancelled) {
      const { length } = text;
      const units = unitsOf(text);
      for (let from = 0; from < length; from += SLICE) {
        if (cancelled()) return null;
        const to = Math.min(from + SLICE, length);
        spotter.spot(units, from, to, to === length, spotted);
      }
      const { keys, count } = spotted;
      let meets = false;
      let starts = false;
      for (let i = 0; i < count; i += 1) {
        if (triggersOfKey[keys[i]!]!.length > 0) meets = true;
        if (startsAll[keys[i]!] === 1) starts = true;
      }
      if (length === 0 || (!meets && !starts && watched.length === 0)) return NOTHING;

      const sightings = new Map<Sight, [number, number][]>();
      if (meets) {
        last.fill(-Infinity);
        for (let from = 0; from < count; from += BLOCK) {
          if (cancelled()) return null;
          meetings(from, Math.min(from + BLOCK, count), length, sightings);
        }
      }
      if (starts) {
        last.fill(0);
        for (let i = 0; i < count; i += 1) for (const sign of signsOfKey[keys[i]!]!) last[sign] = 1;
        for (const sight of everywhere)
          if (sight.signs.every((sign) => last[sign] === 1)) sightings.set(sight, [[0, length]]);
      }
      if (watched.length > 0) {
        present.fill(0);
        for (const slice of windows(Buffer.from(text), SLICE, OVERLAP)) {
          if (cancelled()) return null;
          mark(slice, present);
        }
        for (const sight of blindOnly)
          if (sight.atoms.every((atom) => present[atom] === 1)) sightings.set(sight, [[0, length]]);
      }
      for (const ranges of sightings.values()) for (const range of ranges) widen(range, text);
      return sightings;
    },
  };
}

function note(sightings: Map<Sight, [number, number][]>, sight: Sight, from: number, to: number): void {
  const ranges = sightings.get(sight);
  if (ranges === undefined) {
    sightings.set(sight, [[from, to]]);
    return;
  }
  const before = ranges[ranges.length - 1]!;
  if (from <= before[1] || ranges.length === MOST_RANGES) before[1] = Math.max(before[1], to);
  else ranges.push([from, to]);
}

function longer(array: Uint8Array): Uint8Array<ArrayBuffer> {
  const more = new Uint8Array(array.length * 2);
  more.set(array);
  return more;
}

/** Whether it says anything that one of a group stands within reach: `the` and `you` do everywhere. */
function tells({ share }: Sought, reach: number): boolean {
  return (share * reach) / CHARS_OF_A_WORD < SURE;
}

function widthOf(atoms: readonly Atom[], group: readonly number[]): number {
  return Math.max(0, ...group.map((atom) => Math.min(MOST_WIDTH, atoms[atom]!.max)));
}

/** To the edges of words, so that no cut makes a word of the end of another. */
function widen(range: [number, number], text: string): void {
  for (let i = 0; i < 64 && range[0] > 0 && isWord(text.charCodeAt(range[0] - 1)); i += 1) range[0] -= 1;
  for (let i = 0; i < 64 && range[1] < text.length && isWord(text.charCodeAt(range[1])); i += 1) range[1] += 1;
}

/** RE2 knows only ASCII letters and digits as parts of words; a surrogate is half of something else. */
function isWord(unit: number): boolean {
  const lower = unit | 0x20;
  return (
    (lower >= 0x61 && lower <= 0x7a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f ||
    (unit >= 0xd800 && unit <= 0xdfff)
  );
}
