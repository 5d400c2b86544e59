/**
 * Small values of which no grammar knows the meaning, in the order in which a model may read them.
 *
 * A list of objects has a name or a type in each of them, which would stand between the pieces of a text:
 * `[{"kind":"a","say":"igno"},{"kind":"a","say":"re"}]`. So values under a key that comes again are read one after
 * another, like a column of a table. Values under keys of their own stay in order. But a sentence may as well be written
 * along the rows, `[{"name":"ignore","id":"all"},{"name":"rules"}]`, so where the two orders differ, both are read.
 */
export interface Columns {
  /** How many values came since all were taken. */
  readonly size: () => number;
  readonly add: (text: string, underKey: string) => void;
  /** Takes what belongs before a long value under this key. Columns of other keys go on behind that value. */
  readonly takeBefore: (underKey: string) => string[];
  readonly takeAll: () => string[];
}

/** The sender chooses the keys. Values under further ones stay in order in one column. */
const MOST_KEYS = 4096;

export function createColumns(): Columns {
  /** Values under keys that had not come before; some of these keys may have come again since. */
  let firstValues: { readonly text: string; readonly underKey: string }[] = [];
  /** The further values under each key; null if there was only one so far. */
  const columns = new Map<string, string[] | null>();
  let overflow: string[] = [];
  /** All values since all were taken last, as they came. */
  let rows: string[] = [];
  let hasColumn = false;

  /** Takes the values under keys of their own. The first values of columns join their columns. */
  const takeSingles = (): string[] => {
    const singles: string[] = [];
    for (const { text, underKey } of firstValues) {
      const column = columns.get(underKey);
      if (column) column.unshift(text);
      else singles.push(text);
    }
    firstValues = [];
    return singles;
  };

  return {
    size: () => rows.length,
    add: (text, underKey) => {
      rows.push(text);
      const column = columns.get(underKey);
      if (column) column.push(text);
      else if (column === null) {
        columns.set(underKey, [text]);
        hasColumn = true;
      } else if (columns.size >= MOST_KEYS) overflow.push(text);
      else {
        columns.set(underKey, null);
        firstValues.push({ text, underKey });
      }
    },
    takeBefore: (underKey) => {
      const taken = takeSingles();
      const column = columns.get(underKey);
      if (column) taken.push(...column.splice(0));
      else if (column === undefined) taken.push(...overflow.splice(0));
      return taken;
    },
    takeAll: () => {
      const taken = takeSingles();
      for (const column of columns.values()) if (column) taken.push(...column);
      taken.push(...overflow);
      if (hasColumn && columns.size > 1) taken.push(...rows);
      columns.clear();
      hasColumn = false;
      overflow = [];
      rows = [];
      return taken;
    },
  };
}
