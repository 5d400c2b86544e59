import { unitsOf } from '../text/units.ts';
import type { Key } from './keys.ts';
import { eitherGroup, groupsOf } from './literals.ts';
import type { Group } from './literals.ts';
import { describeTree } from './pattern-tree.ts';
import type { Tree } from './pattern-tree.ts';
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
const NOTHING: Sightings = new Map();

/** Signs that must stand together for a rule to be worth asking about. A sign is a group of keys of which one was spotted. */
interface Condition extends Sight {
  readonly trigger: number;
  readonly others: readonly number[];
  /** Characters between the trigger and any of the others. */
  readonly reach: number;
}

export function createGlance(
  atoms: readonly Atom[],
  rules: readonly Rule[],
  /** Atoms without any word of their own: only the engine can see them. */
  markBlind: (blind: readonly number[]) => ((bytes: Buffer, present: Uint8Array) => void) | null,
): Glance | null {
  const signs = new Map<string, number>();
  const keysOfSign: (readonly Key[])[] = [];
  const signFor = ({ keys }: Group): number => {
    const name = [...new Set(keys.map(({ kind, text }) => `${kind}:${text}`))].sort().join('\n');
    const known = signs.get(name);
    if (known !== undefined) return known;
    signs.set(name, keysOfSign.length);
    keysOfSign.push(keys);
    return keysOfSign.length - 1;
  };

  const conditions: Condition[] = [];
  const everywhere: (Sight & { readonly signs: readonly number[] })[] = [];
  const blindOnly: (Sight & { readonly atoms: readonly number[] })[] = [];
  for (const rule of rules) {
    for (const atom of rule.patterns) {
      const { tree } = atoms[atom]!;
      const groups = groupsOf(tree.kind === 'choice' && tree.items.length === 1 ? tree.items[0]! : tree);
      if (groups === null) {
        blindOnly.push({ rule, what: atom, atoms: [atom] });
        continue;
      }
      const [trigger, ...others] = groups.map(signFor);
      const reach = Math.min(describeTree(tree).max, MOST_CHARS) + SLACK;
      conditions.push({ rule, what: atom, trigger: trigger!, others: others.slice(0, MOST_OTHERS), reach });
    }
    for (const what of ['near', 'all'] as const) {
      const group = rule[what];
      if (group.length === 0) continue;
      const seen = group.map((atom) => groupOfAtom(atoms[atom]!.tree)).filter((found) => found !== null);
      const [trigger, ...others] = seen.sort((a, b) => a.share - b.share).map(signFor);
      if (trigger === undefined) blindOnly.push({ rule, what, atoms: group });
      else if (what === 'all') everywhere.push({ rule, what, signs: [trigger, ...others] });
      else {
        const reach = rule.span + 2 * widthOf(atoms, group) + SLACK;
        conditions.push({ rule, what, trigger, others: others.slice(0, MOST_OTHERS), reach });
      }
    }
  }
  const watched = [...new Set(blindOnly.flatMap((one) => one.atoms))];
  const mark = markBlind(watched);
  if (mark === null) return null;

  const spotter = createSpotter(keysOfSign.flat());
  const signsOfKey: number[][] = Array.from({ length: spotter.count }, () => []);
  for (const [sign, keys] of keysOfSign.entries())
    for (const number of new Set(keys.map(spotter.numberOf))) signsOfKey[number]!.push(sign);
  const triggered: Condition[][] = keysOfSign.map(() => []);
  for (const condition of conditions) triggered[condition.trigger]!.push(condition);
  const triggersOfKey = signsOfKey.map((of) => of.flatMap((sign) => triggered[sign]!));
  const farthest = conditions.reduce((most, { reach }) => Math.max(most, reach), 0);
  const startsAll = new Uint8Array(spotter.count);
  for (const { signs } of everywhere) for (const key of keysOfSign[signs[0]!]!) startsAll[spotter.numberOf(key)] = 1;

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
        for (let m = 0; m < others.length; m += 1) if (last[others[m]!]! >= end - reach) mask |= 1 << m;
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
        for (let m = 0; m < others.length; m += 1) if (next[others[m]!]! <= end + reach) met[at]! |= 1 << m;
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

/** One group for an atom with alternatives: each brings its rarest words. Null for a blind one. */
function groupOfAtom(tree: Tree): Group | null {
  const each = (tree.kind === 'choice' ? tree.items : [tree]).map(groupsOf);
  return each.some((groups) => groups === null) ? null : eitherGroup(each.map((groups) => groups![0]!));
}

function widthOf(atoms: readonly Atom[], group: readonly number[]): number {
  return Math.max(0, ...group.map((atom) => Math.min(MOST_WIDTH, describeTree(atoms[atom]!.tree).max)));
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
