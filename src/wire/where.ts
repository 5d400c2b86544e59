/** Formats the place of a passage for logs: `messages[3].content`. */

const MAX_WHERE_CHARS = 200;

/** The sender chooses the keys, so they are shortened, and unusual characters are replaced by `?`. */
export function formatWhere(
  names: readonly string[],
  indexes: readonly number[],
  isObject: readonly boolean[],
  depth: number,
): string {
  let where = '';
  for (let level = 1; level <= depth && where.length < MAX_WHERE_CHARS; level++) {
    if (!isObject[level]) where += `[${Math.max(0, indexes[level]!)}]`;
    else where += (where === '' ? '' : '.') + cleanKey(names[level]!);
  }
  return where.slice(0, MAX_WHERE_CHARS);
}

function cleanKey(key: string): string {
  return /^[\w$-]{1,32}$/.test(key) ? key : key.slice(0, 32).replace(/[^\w$-]/g, '?');
}
