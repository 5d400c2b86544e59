import { BARS, type Floor } from './floors.ts';
import { areMarks, type Marks } from './marks.ts';

/** The content of a floor file: the floors, and the action for each text when they were written. */
export interface FloorFile {
  readonly floors: readonly Floor[];
  readonly marks: Readonly<Record<string, Marks>>;
}

/** Parses a floor file. Returns a message if it is invalid. */
export function parseFloorFile(text: string): FloorFile | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  const { floors, marks = {} } = (value ?? {}) as { floors?: unknown; marks?: unknown };
  if (!Array.isArray(floors)) return "needs a list under the key 'floors'";
  for (const [at, floor] of floors.entries()) {
    const problem = problemOf(floor);
    if (problem !== null) return `floors[${at}] ${problem}`;
  }
  if (!areMarks(marks)) return "has 'marks' that --write-floors did not write";
  return { floors: floors as readonly Floor[], marks };
}

function problemOf(floor: unknown): string | null {
  if (typeof floor !== 'object' || floor === null) return 'must be an object';
  const { name, of, ...bars } = floor as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string') return "needs a 'name'";
  if (!Array.isArray(of) || of.length === 0 || !of.every((one) => typeof one === 'string'))
    return "needs a list of corpora under the key 'of'";
  for (const [key, bar] of Object.entries(bars)) {
    if (!BARS.includes(key as (typeof BARS)[number]))
      return `has '${key.slice(0, 40)}', which is none of ${BARS.join(', ')}`;
    if (typeof bar !== 'number' || !(bar >= 0 && bar <= 100)) return `${key} must be a number from 0 to 100`;
  }
  return Object.keys(bars).length === 0 ? `needs one of ${BARS.join(', ')}` : null;
}
