import { STRETCH } from '../domain/place.ts';
import { confirmed } from './confirm.ts';
import type { Denied } from './denied.ts';
import type { Ranges, Sightings } from './glance.ts';
import { standNear, stepsFor } from './near.ts';
import type { Rule } from './rule.ts';
import type { Ruleset } from './ruleset.ts';
import type { Sight } from './waiting.ts';
import { SLICE, windows } from './windows.ts';

/** One call into the engine costs as much as reading so many bytes more. */
const CALL = 1024;
/** Fewer patterns than that are not worth the sets that hold them. */
const MANY = 16;
/** What a set reads for each pattern in it, in texts made to be slow for it. */
const OF_A_SET = 4;

/** A rule that is there, and where. */
export interface Hit {
  readonly rule: Rule;
  readonly places: Ranges;
}

/**
 * In a longer text it is told where each rule stands, since signs count together that stand near each other. Where its words are
 * at more places than this, it is only asked whether it is there at all, and counts as if it stood at each of them.
 */
const MOST_ASKED = 8;

/** Which of the rules that the first look saw are really there. Null when cancelled. */
export function hitsIn(
  ruleset: Ruleset,
  sightings: Sightings,
  isWanted: (rule: Rule) => boolean,
  text: string,
  cancelled: () => boolean,
  /** Where there is more than one reading. */
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
  const isLong = text.length > STRETCH;
  for (const { sight, ranges, asked } of others) {
    const { rule, what } = sight;
    const known = sure.get(rule);
    if (known !== undefined && !isLong) continue;
    if (cancelled()) return null;
    const holds = ([from, to]: Ranges[number]): boolean => {
      const part = partOf(from, to);
      if (typeof what === 'number') return ruleset.occurs(what, part);
      if (what === 'all') return rule.all.every((atom) => ruleset.occurs(atom, part));
      return standNear(ruleset, rule, part, Math.ceil((rule.span * part.length) / Math.max(1, to - from)), steps);
    };
    let places: Ranges;
    if (typeof what === 'number' && everywhere !== null) places = everywhere.has(what) ? ranges : [];
    else if (isLong && asked.length <= MOST_ASKED) places = asked.filter(holds);
    else places = known !== undefined || asked.some(holds) ? ranges : [];
    if (places.length > 0) sure.set(rule, known === undefined ? places : [...known, ...places]);
    else if (known === undefined) denied?.add(sight, ranges, text);
  }
  return hitsOf(sure);
}

function hitsOf(rules: ReadonlyMap<Rule, Ranges>): Hit[] {
  return Array.from(rules, ([rule, places]) => ({ rule, places }));
}

/** In ASCII a character is a byte, and a part of the text is a part of its bytes: half of what asking about it costs. */
function partsOf(text: string): (from: number, to: number) => Buffer {
  const bytes = text.length <= SLICE ? Buffer.from(text) : null;
  if (bytes?.length === text.length) return (from, to) => bytes.subarray(from, to);
  return (from, to) => Buffer.from(text.slice(from, to));
}

/** Many places close to each other are asked about in one call. */
function together(ranges: Ranges): Ranges {
  const span = [(ranges[0] as Ranges[number])[0], (ranges[ranges.length - 1] as Ranges[number])[1]] as const;
  return workOf(ranges) < span[1] - span[0] + CALL ? ranges : [span];
}

function workOf(ranges: Ranges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from + CALL, 0);
}

/**
 * A few patterns are asked about by themselves, where their words stand. In a text that is full of the words of many, a
 * handful in one set reads all of it in less time. Null when it is not worth it.
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
