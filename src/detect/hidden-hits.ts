import { hitsIn, type Hit } from './confirm/hits.ts';
import type { EncodedParts } from './encoded-parts.ts';
import type { Glance } from './glance/glance.ts';
import type { Ranges, Sightings } from './glance/sightings.ts';
import type { Rule } from './rule.ts';
import type { Ruleset } from './ruleset.ts';

/**
 * Which of the rules that wait for hidden text match in what was hidden. Only the parts of a reading that do not stand in
 * the plain text are read for them: most readings of honest files have none near, and the engine is not asked. Asking it
 * about the whole reading first took a sixth of the time of all honest texts. Null when cancelled.
 */
export function hitsInHidden(
  ruleset: Ruleset,
  look: Glance['look'],
  sightings: Sightings,
  isWanted: (rule: Rule) => boolean,
  text: string,
  encodedParts: EncodedParts,
  cancelled: () => boolean,
): readonly Hit[] | null {
  const waiting = new Map<Rule, Ranges>();
  for (const [{ rule }, ranges] of sightings)
    if (rule.signature.hidden === true && isWanted(rule)) waiting.set(rule, [...(waiting.get(rule) ?? []), ...ranges]);
  const hits: Hit[] = [];
  for (const [rule, ranges] of waiting) {
    const places = [...ranges].sort(([one], [other]) => one - other);
    for (const part of encodedParts(text, places)) {
      const seen = look(part, cancelled);
      const found = seen && hitsIn(ruleset, seen.sightings, (one) => one === rule, part, cancelled);
      if (found === null) return null;
      if (found.length === 0) continue;
      hits.push({ rule, places, standing: 'together' });
      break;
    }
  }
  return hits;
}
