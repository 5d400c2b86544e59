import type { Rule } from '../rule.ts';
import type { Ruleset } from '../ruleset.ts';

/** How many engine calls may still be made for a text. */
export interface Steps {
  left: number;
}

export function stepsFor(bytes: number): Steps {
  return { left: FREE_STEPS + bytes / BYTES_PER_STEP };
}

/**
 * Whether the groups of a rule stand within `reach` of each other, according to the engine.
 *
 * The first look saw their words within reach of each other; here the whole patterns have to be. Each step moves the
 * group that lags furthest behind to where it could still meet the one furthest ahead, and takes about a microsecond. A
 * sender who packs a text with words just out of each other's reach could cause very many steps. When the budget is
 * spent, the groups count as near: to answer "no" there would hand that sender a bypass.
 */
export function standNear(ruleset: Ruleset, rule: Rule, bytes: Buffer, reach: number, steps: Steps): boolean {
  if (steps.left <= 0) return true;
  // Asking whether a pattern occurs costs a quarter of asking where, and one of them mostly does not occur.
  steps.left -= rule.near.length;
  if (!rule.near.every((atom) => ruleset.occurs(atom, bytes))) return false;
  const places: { start: number; end: number }[] = [];
  for (const atom of rule.near) {
    steps.left -= 1;
    const place = ruleset.find(atom, bytes, 0);
    if (place === null) return false;
    places.push(place);
  }
  while (steps.left > 0) {
    let lagging = 0;
    let ahead = 0;
    for (const [i, place] of places.entries()) {
      if (place.end < (places[lagging] as { end: number }).end) lagging = i;
      if (place.start > ahead) ahead = place.start;
    }
    const behind = places[lagging] as { start: number; end: number };
    if (ahead - behind.end <= reach) return true;
    const atom = rule.near[lagging] as number;
    // A match that still ends within reach may begin before that, even inside of the match that lags behind.
    const widest = MOST_BYTES * (ruleset.atoms[atom]!.max + MARKS_AROUND);
    steps.left -= 1 + widest / BYTES_OF_A_STEP;
    const next = ruleset.find(atom, bytes, Math.max(behind.start + 1, ahead - reach - widest));
    if (next === null) return false;
    places[lagging] = next;
  }
  return true;
}

/** Most bytes of a character. */
const MOST_BYTES = 4;
/** Underscores that a match may begin and end with beside its words, as in `_this_`. */
const MARKS_AROUND = 6;
const FREE_STEPS = 256;
const BYTES_PER_STEP = 96;
/** Reading this many bytes again costs as much as a call. */
const BYTES_OF_A_STEP = 512;
