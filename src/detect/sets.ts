import RE2 from 're2';

/** Many patterns at once: which of them occur in some bytes. */
export interface Sets {
  /** Calls `found` with the number of each that occurs; with `wanted`, of those alone. Throws when the engine runs out of memory. */
  readonly match: (bytes: Buffer, found: (member: number) => void, wanted?: (member: number) => boolean) => void;
}

/** Beyond RE2's default of 8 MB: a larger cache of states is what keeps varied text at full speed. Used only as needed. */
const SET_MEMORY = 64 * 1024 * 1024;

/**
 * In sets of at most `size`; smaller ones where RE2 refuses, which it says only by throwing. Null when it refuses even one
 * by one.
 */
export function createSets(sources: readonly string[], flags: string, size = sources.length): Sets | null {
  const sets: { readonly first: number; readonly count: number; readonly set: InstanceType<typeof RE2.Set> }[] = [];
  const queue: (readonly [first: number, count: number])[] = [];
  for (let first = 0; first < sources.length; first += size)
    queue.push([first, Math.min(size, sources.length - first)]);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [first, count] = next;
    try {
      const set = new RE2.Set(sources.slice(first, first + count), flags, { maxMem: SET_MEMORY });
      sets.push({ first, count, set });
    } catch {
      if (count === 1) return null;
      const half = count >> 1;
      queue.push([first, half], [first + half, count - half]);
    }
  }
  return {
    match(bytes, found, wanted) {
      for (const { first, count, set } of sets) {
        if (wanted !== undefined && !anyOf(first, count, wanted)) continue;
        for (const hit of set.match(bytes)) found(first + hit);
      }
    },
  };
}

function anyOf(first: number, count: number, wanted: (member: number) => boolean): boolean {
  for (let i = first; i < first + count; i += 1) if (wanted(i)) return true;
  return false;
}
