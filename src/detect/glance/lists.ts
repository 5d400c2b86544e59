/**
 * A list of numbers for each of `count` keys, most of them empty, all in one piece of memory. With a list of its own
 * for each key, every word that is spotted would have to wait for memory.
 */
export interface Lists {
  /** The list of a key is `members` from `starts[key]` to before `starts[key + 1]`. */
  readonly starts: Int32Array;
  readonly members: Int32Array;
}

/** Members keep the order in which they were told. `told` is called twice, and has to tell the same each time. */
export function listsOf(count: number, told: (tell: (key: number, member: number) => void) => void): Lists {
  const starts = new Int32Array(count + 1);
  told((key) => void (starts[key + 1]! += 1));
  for (let key = 0; key < count; key += 1) starts[key + 1]! += starts[key]!;
  const members = new Int32Array(starts[count]!);
  const next = starts.slice(0, count);
  told((key, member) => {
    members[next[key]!] = member;
    next[key]! += 1;
  });
  return { starts, members };
}
