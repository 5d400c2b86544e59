/** What is known of the texts or bytes that were met lately, by a hash of each. */
export interface Lately<Known> {
  readonly get: (key: string) => Known | undefined;
  readonly set: (key: string, known: Known) => void;
}

/**
 * Two generations of `capacity` entries each: when the young one is full it becomes the old one, and what is asked for
 * in the old one becomes young again. Refused: a list in order of use, which costs as much as the entry at every look.
 */
export function createLately<Known>(capacity: number): Lately<Known> {
  let young = new Map<string, Known>();
  let old = new Map<string, Known>();

  function set(key: string, known: Known): void {
    if (young.size >= capacity) {
      old = young;
      young = new Map();
    }
    young.set(key, known);
  }

  return {
    set,
    get(key) {
      const known = young.get(key);
      if (known !== undefined) return known;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
  };
}
