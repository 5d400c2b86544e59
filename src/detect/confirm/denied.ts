import type { Ranges } from '../glance/sightings.ts';
import type { Sight } from '../glance/waiting.ts';

/**
 * Remembers where the engine has said no. A folded text mostly equals the original but for a few letters: where the
 * very same characters stand in another reading, the engine is not asked again.
 */
export interface Denied {
  /** The ranges of a sight about which the engine was not asked yet. */
  readonly others: (sight: Sight, ranges: Ranges, text: string) => Ranges;
  /** Remembers that the engine found nothing in these ranges. */
  readonly add: (sight: Sight, ranges: Ranges, text: string) => void;
}

/** Limits memory; beyond it the engine is asked again. */
const MOST_CHARS = 1_048_576;

export function nothingDenied(): Denied {
  const denied = new Map<Sight, Set<string>>();
  let chars = 0;
  return {
    others(sight, ranges, text) {
      const parts = denied.get(sight);
      return parts === undefined ? ranges : ranges.filter(([from, to]) => !parts.has(text.slice(from, to)));
    },
    add(sight, ranges, text) {
      const parts = denied.get(sight) ?? new Set();
      denied.set(sight, parts);
      for (const [from, to] of ranges) {
        if (chars + to - from > MOST_CHARS) return;
        chars += to - from;
        parts.add(text.slice(from, to));
      }
    },
  };
}
