import RE2 from 're2';
import { inFull } from '../patterns/pattern.ts';

/** Many patterns at once: which of them occur in some bytes. */
export interface Sets {
  /**
   * Calls `found` with the index of each pattern that occurs. With `wanted`, only sets with a wanted pattern are asked,
   * but other patterns of these sets are reported as well. Throws when the engine runs out of memory.
   */
  readonly match: (bytes: Buffer, found: (member: number) => void, wanted?: (member: number) => boolean) => void;
  /** Gives back the memory of the sets that are made when they are asked. */
  readonly forget: () => void;
}

/**
 * RE2's default is 8 MB. A larger cache of states keeps varied text at full speed; the memory is only taken when
 * needed.
 */
const SET_MEMORY = 64 * 1024 * 1024;

/** How patterns are put into sets. */
interface Making {
  /** Most patterns of one set. */
  readonly size?: number;
  /** Whether RE2 is known to take the pattern of this index. */
  readonly isTaken?: (member: number) => boolean;
  /** What the states of one set may take. */
  readonly memory?: number;
}

/** `count` patterns from `first` on, by their indices. */
interface Members {
  readonly first: number;
  readonly count: number;
}

interface Handful extends Members {
  /** Its set, or sets, are made when something is asked of them, as RE2 is known to take them. */
  readonly isTaken: boolean;
  sets: readonly Made[] | null;
}

interface Made extends Members {
  readonly set: InstanceType<typeof RE2.Set>;
}

/**
 * Puts patterns into sets of at most `size`, and into smaller ones where RE2 refuses, which it says only by throwing.
 * Null when it refuses even a single pattern. A set takes a quarter of a millisecond to make, and most are never asked:
 * sets of patterns that RE2 is known to take (`isTaken`) are made when they are asked.
 */
export function createSets(
  sources: readonly string[],
  flags: string,
  { size = sources.length, isTaken = () => false, memory = SET_MEMORY }: Making = {},
): Sets | null {
  const handfuls: Handful[] = [];
  for (let first = 0; first < sources.length; first += size) {
    const of = { first, count: Math.min(size, sources.length - first) };
    const handful: Handful = { ...of, isTaken: every(of, isTaken), sets: null };
    handfuls.push(handful);
    if (handful.isTaken) continue;
    handful.sets = setsOf(sources, flags, memory, handful);
    if (handful.sets === null) return null;
  }
  return {
    match(bytes, found, wanted) {
      for (const handful of handfuls) {
        if (wanted !== undefined && !anyOf(handful, wanted)) continue;
        handful.sets ??= setsOf(sources, flags, memory, handful);
        if (handful.sets === null) throw new Error('RE2 refuses what it took before');
        for (const made of handful.sets) {
          if (wanted !== undefined && handful.sets.length > 1 && !anyOf(made, wanted)) continue;
          for (const hit of made.set.match(bytes)) found(made.first + hit);
        }
      }
    },
    forget() {
      for (const handful of handfuls) if (handful.isTaken) handful.sets = null;
    },
  };
}

function setsOf(sources: readonly string[], flags: string, memory: number, { first, count }: Members): Made[] | null {
  try {
    const members = sources.slice(first, first + count).map(inFull);
    return [{ first, count, set: new RE2.Set(members, flags, { maxMem: memory }) }];
  } catch {
    if (count === 1) return null;
    const half = count >> 1;
    const before = setsOf(sources, flags, memory, { first, count: half });
    const after = setsOf(sources, flags, memory, { first: first + half, count: count - half });
    return before === null || after === null ? null : [...before, ...after];
  }
}

function every({ first, count }: Members, is: (member: number) => boolean): boolean {
  for (let i = first; i < first + count; i += 1) if (!is(i)) return false;
  return true;
}

function anyOf({ first, count }: Members, wanted: (member: number) => boolean): boolean {
  for (let i = first; i < first + count; i += 1) if (wanted(i)) return true;
  return false;
}
