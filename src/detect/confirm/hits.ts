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
  /** How its groups of words stand at best. */
  readonly standing: Exclude<Standing, 'no'>;
}

/** Best first. */
const STANDINGS = ['together', 'apart', 'entries'] as const satisfies readonly Hit['standing'][];
type Found = Readonly<Record<Hit['standing'], Map<Rule, Ranges>>>;

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
  const found: Found = { together: new Map(), apart: new Map(), entries: new Map() };
  if (proven.length > 0) {
    const rules = confirmed(ruleset, proven, text, cancelled);
    if (rules === null) return null;
    for (const rule of rules)
      found.together.set(
        rule,
        proven.flatMap(([sight, ranges]) => (sight.rule === rule ? ranges : [])),
      );
  }
  if (others.length === 0) return hitsOf(found);
  const everywhere = togetherIn(ruleset, others, text);
  const steps = stepsFor(text.length);
  const partOf = partsOf(text);
  const isLong = text.length > NEAR_DISTANCE;
  for (const { sight, ranges, asked } of others) {
    const { rule, what } = sight;
    const known = found.together.get(rule);
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
    let stands: readonly (readonly [Standing, Ranges])[];
    if (typeof what === 'number' && everywhere !== null) stands = [[everywhere.has(what) ? 'together' : 'no', ranges]];
    else if (isLong && asked.length <= MOST_ASKED) stands = asked.map((range) => [standingIn(range), [range]]);
    else stands = [[known === undefined ? bestOf(asked, standingIn) : 'together', ranges]];
    for (const [how, places] of stands)
      if (how !== 'no') found[how].set(rule, [...(found[how].get(rule) ?? []), ...places]);
    if (known === undefined && stands.every(([how]) => how === 'no')) denied?.add(sight, ranges, text);
  }
  return hitsOf(found);
}

function bestOf(ranges: Ranges, standingIn: (range: Ranges[number]) => Standing): Standing {
  let best: Standing = 'no';
  for (const range of ranges) {
    const here = standingIn(range);
    if (here === 'together') return here;
    if (here === 'apart' || best === 'no') best = here;
  }
  return best;
}

function hitsOf(found: Found): Hit[] {
  const hits: Hit[] = [];
  const told = new Set<Rule>();
  for (const standing of STANDINGS) {
    for (const [rule, places] of found[standing]) {
      if (!told.has(rule)) hits.push({ rule, places, standing });
      told.add(rule);
    }
  }
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
