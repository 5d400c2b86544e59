import type { Rule } from './rule.ts';
import type { Ruleset } from './ruleset.ts';

/**
 * Whether the groups of a rule stand close together, asked of the engine.
 *
 * The first look saw their words within reach of each other; here the whole patterns must be, by steps that each move the
 * group lagging furthest behind to where it could still meet the one furthest ahead. A step costs about a microsecond. A
 * sender who packs a text with trigger words just out of reach of each other could buy very many: when their number is
 * spent, what the first look saw is taken for near. Stopping there, unsaid, would hand that sender the bypass.
 */
export interface Steps {
  left: number;
}

export function stepsFor(bytes: number): Steps {
  return { left: FREE_STEPS + bytes / BYTES_PER_STEP };
}

export function standNear(ruleset: Ruleset, rule: Rule, bytes: Buffer, reach: number, steps: Steps): boolean {
  if (steps.left <= 0) return true;
  // Whether one is there at all is asked at a quarter of what its place costs, and one of them mostly is not.
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
    const behind = places[lagging] as { end: number };
    if (ahead - behind.end <= reach) return true;
    steps.left -= 1;
    const next = ruleset.find(rule.near[lagging] as number, bytes, Math.max(behind.end, ahead - reach - EDGE));
    if (next === null) return false;
    places[lagging] = next;
  }
  return true;
}

/** Room for an atom that straddles the edge of a window. */
const EDGE = 160;
const FREE_STEPS = 256;
const BYTES_PER_STEP = 96;
