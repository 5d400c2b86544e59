import { isSeparator } from '../text/separators.ts';
import { isAlphanumeric, unitsOf } from '../text/units.ts';
import type { Ranges } from './glance/sightings.ts';

/** Around a place: what is asked for has more words than the pattern. */
const AROUND = 300;
/** More of one reading is not looked at, and counts as encoded throughout. */
const MOST = 65_536;
/** So many words of an encoded sentence may stand in plain: in leet, some words have no letter to replace. */
const MOST_PLAIN = 2;

/**
 * The parts of a reading, around the places where something matched, whose words do not follow each other in the plain
 * text. What is said openly stands there word after word; a single word that was encoded has plain neighbours. Words
 * alone would not do: a paragraph about anything holds most words of any sentence.
 */
export type EncodedParts = (read: string, places: Ranges) => readonly string[];

export function encodedPartsBeside(plain: string): EncodedParts {
  // Only made when something is found that has to have been hidden: hardly ever.
  let known: Pairs | null = null;
  return (read, places) => {
    known ??= pairsIn(plain);
    const around: [begin: number, end: number][] = [];
    let looked = 0;
    for (const [from, to] of places) {
      const last = around.at(-1);
      const begin = Math.max(last?.[1] ?? 0, from - AROUND);
      const end = Math.min(read.length, to + AROUND);
      if (end <= begin) continue;
      looked += end - begin;
      if (looked > MOST) return [read];
      if (last?.[1] === begin) last[1] = end;
      else around.push([begin, end]);
    }
    return around.flatMap(([begin, end]) => partsWithout(known!, read.slice(begin, end)));
  };
}

function partsWithout(known: Pairs, read: string): string[] {
  const starts: number[] = [];
  const ends: number[] = [];
  const follows: boolean[] = [];
  eachWord(read, (start, end, pair) => {
    starts.push(start);
    ends.push(end);
    follows.push(starts.length > 1 && known.has(pair));
  });
  const parts: string[] = [];
  let first = -1;
  let last = -1;
  const close = (): void => {
    if (last > first) parts.push(read.slice(starts[first], ends[last]));
  };
  for (let i = 0; i < starts.length; i += 1) {
    if (follows[i] === true || follows[i + 1] === true) continue;
    if (first === -1 || i - last > MOST_PLAIN + 1) {
      close();
      first = i;
    }
    last = i;
  }
  close();
  return parts;
}

/** Hashes of two words that follow each other: of text of megabytes, a set of strings would take a hundred. */
interface Pairs {
  readonly has: (pair: number) => boolean;
}

function pairsIn(text: string): Pairs {
  let words = 0;
  eachWord(text, () => (words += 1));
  const table = new Int32Array(2 ** Math.ceil(Math.log2(2 * words + 2)));
  const mask = table.length - 1;
  const slotOf = (pair: number): number => {
    let slot = pair & mask;
    while (table[slot] !== 0 && table[slot] !== pair) slot = (slot + 1) & mask;
    return slot;
  };
  eachWord(text, (_start, _end, pair) => (table[slotOf(pair)] = pair));
  return { has: (pair) => table[slotOf(pair)] === pair };
}

/** Calls `told` for each word with a hash of the word before and of it. Letter case does not count. */
function eachWord(text: string, told: (start: number, end: number, pair: number) => void): void {
  const units = unitsOf(text);
  const { length } = text;
  let before = 0;
  for (let at = 0; at < length;) {
    if (!isOfWord(units[at] as number)) {
      at += 1;
      continue;
    }
    const start = at;
    let word = 17;
    for (; at < length && isOfWord(units[at] as number); at += 1) {
      const unit = units[at] as number;
      word = Math.imul(word ^ (unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit), 0x01000193);
    }
    // Nought stands for an empty slot.
    told(start, at, Math.imul(before ^ (word >>> 15), 0x2c1b3c6d) ^ word || 1);
    before = word;
  }
}

function isOfWord(unit: number): boolean {
  return unit < 0x80 ? isAlphanumeric(unit) : !isSeparator(unit);
}
