import type { Ranges } from './glance.ts';
import type { Sight } from './waiting.ts';

/**
 * Where the engine has said no. A folded text is most often the text itself but for a few letters: what was not there in the
 * one is not asked about again in the other, where the very same characters stand.
 */
export interface Denied {
  /** Of the places of a sight those that were not asked about. */
  readonly others: (sight: Sight, ranges: Ranges, text: string) => Ranges;
  readonly add: (sight: Sight, ranges: Ranges, text: string) => void;
}

/** A bound on memory; beyond it the engine is asked again. */
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
