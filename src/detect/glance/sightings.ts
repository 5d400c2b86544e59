import type { Sight } from './waiting.ts';

/** Where the words of a rule stand close enough together for its pattern to be asked about: what the first look sees. */
export type Sightings = ReadonlyMap<Sight, Ranges>;

/** Ranges of characters, in order and not touching. */
export type Ranges = readonly (readonly [from: number, to: number])[];

/** Adds a sighting around `end`, as far as `reach` characters to either side. */
export type Note = (sight: Sight, end: number, reach: number) => void;

/** Sightings while they are gathered. */
export type Gathered = Map<Sight, [from: number, to: number][]>;

/** With this many ranges, the last one grows instead: the text in between is not worth the bookkeeping. */
const MOST_RANGES = 64;

export function add(sightings: Gathered, sight: Sight, from: number, to: number): void {
  const ranges = sightings.get(sight);
  if (ranges === undefined) {
    sightings.set(sight, [[from, to]]);
    return;
  }
  const before = ranges[ranges.length - 1]!;
  if (from <= before[1] || ranges.length === MOST_RANGES) before[1] = Math.max(before[1], to);
  else ranges.push([from, to]);
}

/**
 * Whether the text has the punctuation that the rule cannot match without. Most sightings end here, without an engine
 * call.
 */
export function couldMatch({ marks }: Sight, ranges: Ranges, text: string): boolean {
  for (const each of marks)
    if (!ranges.some(([from, to]) => each.some((mark) => text.slice(from, to).includes(mark)))) return false;
  return true;
}

const LONGEST_WORD = 64;
/** A token is spotted by how it begins, at the end of its word: a range around that may begin inside the token. */
const LONGEST_TOKEN = 512;

/** Widens a range to the edges of words, so that a cut does not make a word of the end of another. */
export function widen(range: [number, number], text: string, { rule }: Sight): void {
  const back = rule.isProven ? LONGEST_TOKEN : LONGEST_WORD;
  for (let i = 0; i < back && range[0] > 0 && isWord(text.charCodeAt(range[0] - 1)); i += 1) range[0] -= 1;
  for (let i = 0; i < LONGEST_WORD && range[1] < text.length && isWord(text.charCodeAt(range[1])); i += 1)
    range[1] += 1;
}

/** RE2 takes only ASCII letters, digits and underscores for parts of words. A surrogate is half of a character. */
function isWord(unit: number): boolean {
  const lower = unit | 0x20;
  return (
    (lower >= 0x61 && lower <= 0x7a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f ||
    (unit >= 0xd800 && unit <= 0xdfff)
  );
}
