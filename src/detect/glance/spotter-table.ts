/**
 * The hashes of some keys, and a number for each: open addressing in one array. A Map would be a third of the whole
 * pass.
 */
export interface Table {
  /** A bit for the upper 18 bits of each hash: most words are ruled out by it. */
  readonly bits: Uint8Array;
  /** For each slot a hash, and its number or -1 for a free slot. There is always a free one. */
  readonly slots: () => Int32Array;
  /** Returns whether the hash is new. If it is not, it keeps its number. */
  readonly add: (hash: number, number: number) => boolean;
  /** Replaces each number by what is told where its key is spotted. After that, nothing can be added. */
  readonly tell: (of: (number: number) => number) => void;
  /** The number of a hash, or -1. */
  readonly find: (hash: number) => number;
}

/** Laid out as kernel/spot.ts reads it. */
export function createTable(): Table {
  const bits = new Uint8Array(262_144 / 8);
  let slots = new Int32Array(2 * 64).fill(-1);
  let size = 0;
  const slotOf = (hash: number): number => {
    const mask = slots.length / 2 - 1;
    let at = (hash >>> 8) & mask;
    while (slots[2 * at + 1] !== -1 && slots[2 * at] !== hash) at = (at + 1) & mask;
    return 2 * at;
  };
  const put = (hash: number, number: number): void => {
    const slot = slotOf(hash);
    slots[slot] = hash;
    slots[slot + 1] = number;
  };
  return {
    bits,
    slots: () => slots,
    add(hash, number) {
      if (slots[slotOf(hash) + 1] !== -1) return false;
      size += 1;
      if (size * 8 > slots.length * 3) {
        const old = slots;
        slots = new Int32Array(old.length * 2).fill(-1);
        for (let i = 0; i < old.length; i += 2) if (old[i + 1] !== -1) put(old[i]!, old[i + 1]!);
      }
      put(hash, number);
      bits[hash >>> 17]! |= 1 << ((hash >>> 14) & 7);
      return true;
    },
    tell(of) {
      for (let i = 1; i < slots.length; i += 2) if (slots[i] !== -1) slots[i] = of(slots[i]!);
    },
    find: (hash) => slots[slotOf(hash) + 1]!,
  };
}
