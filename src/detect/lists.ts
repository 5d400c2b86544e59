const NONE: readonly never[] = [];

/** A list for each of so many numbers, which are many: what is empty, or holds one thing alone, is shared by all that do. */
export interface Lists<One> {
  readonly of: readonly (readonly One[])[];
  readonly add: (number: number, one: One) => void;
}

export function createLists<One>(count: number): Lists<One> {
  const of = Array.from<unknown, readonly One[]>({ length: count }, () => NONE);
  const alone = new Map<One, readonly One[]>();
  return {
    of,
    add(number, one) {
      const there = of[number]!;
      if (there !== NONE) {
        of[number] = [...there, one];
        return;
      }
      const list = alone.get(one) ?? [one];
      alone.set(one, list);
      of[number] = list;
    },
  };
}
