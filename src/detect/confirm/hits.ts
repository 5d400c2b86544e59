import { NEAR_DISTANCE } from '../../domain/place.ts';
import { confirmed } from './confirm.ts';
import type { Denied } from './denied.ts';
import type { Ranges, Sightings } from '../glance/sightings.ts';
import { isCatalogAround } from './entries.ts';
import { standing, stepsFor, type Standing } from './near.ts';
import type { Rule } from '../rule.ts';
import type { Ruleset } from '../ruleset.ts';
import type { Sight } from '../glance/waiting.ts';
import { SLICE, windows } from '../engine/windows.ts';

/** What a call into the engine costs, in bytes: as much as reading this many bytes more. */
const CALL = 1024;
/** With fewer patterns than this, sets are not worth it. */
const MANY = 16;
/** On text made to be slow for it, a set costs a pass over the text for every four patterns in it. */
const OF_A_SET = 4;

/** A rule that matches, and where. */
export interface Hit {
  readonly rule: Rule;
  readonly places: Ranges;
  /** How its groups of words stand at best: with the end of a sentence between them, or in two entries of a catalog. */
  readonly standing: 'together' | 'apart' | 'entries';
}

/**
 * In a text longer than NEAR_DISTANCE it matters where a rule matches, since signals only count together near each
 * other. A rule whose words stand at more places than this is only asked about once, and then counts as matching at all
 * of them.
 */
const MOST_ASKED = 8;

/** Which of the rules that the first look saw really match. Null when cancelled. */
export function hitsIn(
  ruleset: Ruleset,
  sightings: Sightings,
  isWanted: (rule: Rule) => boolean,
  text: string,
  cancelled: () => boolean,
  /** Engine answers shared between the readings of a unit; null where there is only one reading. */
  denied: Denied | null = null,
): readonly Hit[] | null {
  const proven: (readonly [Sight, Ranges])[] = [];
  const others: { readonly sight: Sight; readonly ranges: Ranges; readonly asked: Ranges }[] = [];
  for (const seen of sightings) {
    const [sight, all] = seen;
    if (!isWanted(sight.rule)) continue;
    if (sight.rule.isProven) {
      proven.push(seen);
      continue;
    }
    const ranges = denied?.others(sight, all, text) ?? all;
    if (ranges.length > 0) others.push({ sight, ranges, asked: together(ranges) });
  }
  const sure = new Map<Rule, Ranges>();
  const apart = new Map<Rule, Ranges>();
  const inEntries = new Map<Rule, Ranges>();
  if (proven.length > 0) {
    const rules = confirmed(ruleset, proven, text, cancelled);
    if (rules === null) return null;
    for (const rule of rules)
      sure.set(
        rule,
        proven.flatMap(([sight, ranges]) => (sight.rule === rule ? ranges : [])),
      );
  }
  if (others.length === 0) return hitsOf(sure);
  const everywhere = togetherIn(ruleset, others, text);
  const steps = stepsFor(text.length);
  const partOf = partsOf(text);
  const isLong = text.length > NEAR_DISTANCE;
  for (const { sight, ranges, asked } of others) {
    const { rule, what } = sight;
    const known = sure.get(rule);
    if (known !== undefined && !isLong) continue;
    if (cancelled()) return null;
    const standingIn = ([from, to]: Ranges[number]): Standing => {
      const part = partOf(from, to);
      if (typeof what === 'number') return ruleset.occurs(what, part) ? 'together' : 'no';
      if (what === 'all') return rule.all.every((atom) => ruleset.occurs(atom, part)) ? 'together' : 'no';
      const reach = Math.ceil((rule.span * part.length) / Math.max(1, to - from));
      let isOfCatalog: boolean | null = null;
      return standing(ruleset, rule, part, reach, steps, () => (isOfCatalog ??= isCatalogAround(text, from, to)));
    };
    let places: Ranges;
    let placesApart: Ranges = NOWHERE;
    let placesInEntries: Ranges = NOWHERE;
    if (typeof what === 'number' && everywhere !== null) places = everywhere.has(what) ? ranges : [];
    else if (isLong && asked.length <= MOST_ASKED) {
      const standings = asked.map(standingIn);
      places = asked.filter((_, i) => standings[i] === 'together');
      placesApart = asked.filter((_, i) => standings[i] === 'apart');
      placesInEntries = asked.filter((_, i) => standings[i] === 'entries');
    } else if (known !== undefined) places = ranges;
    else {
      const best = bestOf(asked, standingIn);
      places = best === 'together' ? ranges : [];
      if (best === 'apart') placesApart = ranges;
      if (best === 'entries') placesInEntries = ranges;
    }
    if (places.length > 0) sure.set(rule, known === undefined ? places : [...known, ...places]);
    if (placesApart.length > 0) apart.set(rule, [...(apart.get(rule) ?? []), ...placesApart]);
    if (placesInEntries.length > 0) inEntries.set(rule, [...(inEntries.get(rule) ?? []), ...placesInEntries]);
    const isNowhere = places.length + placesApart.length + placesInEntries.length === 0;
    if (isNowhere && known === undefined) denied?.add(sight, ranges, text);
  }
  return hitsOf(sure, apart, inEntries);
}

const NOWHERE: Ranges = [];
const NONE: ReadonlyMap<Rule, Ranges> = new Map();

function bestOf(ranges: Ranges, standingIn: (range: Ranges[number]) => Standing): Standing {
  let best: Standing = 'no';
  for (const range of ranges) {
    const here = standingIn(range);
    if (here === 'together') return here;
    if (here === 'apart' || best === 'no') best = here;
  }
  return best;
}

function hitsOf(
  together: ReadonlyMap<Rule, Ranges>,
  apart: ReadonlyMap<Rule, Ranges> = NONE,
  inEntries: ReadonlyMap<Rule, Ranges> = NONE,
): Hit[] {
  const hits: Hit[] = Array.from(together, ([rule, places]) => ({ rule, places, standing: 'together' }));
  for (const [rule, places] of apart) if (!together.has(rule)) hits.push({ rule, places, standing: 'apart' });
  for (const [rule, places] of inEntries)
    if (!together.has(rule) && !apart.has(rule)) hits.push({ rule, places, standing: 'entries' });
  return hits;
}

/**
 * Cuts parts out of the text, as bytes. In ASCII text character and byte offsets are equal, so that a part of the bytes
 * can be used as it is, which saves half of what asking about the part costs.
 */
function partsOf(text: string): (from: number, to: number) => Buffer {
  const bytes = text.length <= SLICE ? Buffer.from(text) : null;
  if (bytes?.length === text.length) return (from, to) => bytes.subarray(from, to);
  return (from, to) => Buffer.from(text.slice(from, to));
}

/** Joins all ranges into one where that is cheaper than a call for each. */
function together(ranges: Ranges): Ranges {
  const span = [(ranges[0] as Ranges[number])[0], (ranges[ranges.length - 1] as Ranges[number])[1]] as const;
  return workOf(ranges) < span[1] - span[0] + CALL ? ranges : [span];
}

function workOf(ranges: Ranges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from + CALL, 0);
}

/**
 * A few patterns are asked about one by one, where their words stand. In a text full of the words of many patterns,
 * sets of a few patterns each read all of it in less time. Returns the atoms that occur, or null where sets are not
 * worth it.
 */
function togetherIn(
  ruleset: Ruleset,
  sighted: readonly { readonly sight: Sight; readonly asked: Ranges }[],
  text: string,
): ReadonlySet<number> | null {
  const wanted = new Set<number>();
  let work = 0;
  for (const { sight, asked } of sighted) {
    if (typeof sight.what !== 'number') continue;
    wanted.add(sight.what);
    work += workOf(asked);
  }
  if (wanted.size < MANY || work < (text.length * wanted.size) / OF_A_SET) return null;
  const found = new Set<number>();
  for (const slice of windows(Buffer.from(text))) for (const atom of ruleset.patternsIn(slice, wanted)) found.add(atom);
  return found;
}
