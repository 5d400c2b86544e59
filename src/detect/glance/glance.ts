import { unitsOf } from '../../text/units.ts';
import { alikeIn } from './alike.ts';
import { createMeetings } from './meetings.ts';
import { createNeighbours } from './neighbours.ts';
import { paddingIn } from './padding.ts';
import type { Padding } from './padding.ts';
import { createPresence } from './presence.ts';
import { add, couldMatch, widen } from './sightings.ts';
import type { Gathered, Note, Sightings } from './sightings.ts';
import { hashKeys, nothingSpotted } from './spotter.ts';
import { flagged, NUMBER } from './told.ts';
import { FLAG, flagsOf } from './waiting.ts';
import type { Waiting } from './waiting.ts';
import { SLICE, windows } from '../engine/windows.ts';

/**
 * The first look at a text: which rules have their words in it, and where these stand close enough together. It never
 * decides, since a rule's words are less than its pattern. But what it does not see cannot match, and in ordinary text
 * it sees next to nothing.
 */
export interface Glance {
  /** Null when cancelled. */
  readonly look: (text: string, cancelled: () => boolean) => Look | null;
}

export interface Look {
  readonly sightings: Sightings;
  /** Null where the text has none, and where nothing was seen. */
  readonly padding: Padding | null;
}

/** Spotted keys that are handled between two checks for cancellation. For characters that is SLICE. */
const BLOCK = 4096;
const NOTHING: Look = { sightings: new Map(), padding: null };

export function createGlance(
  waiting: Waiting,
  /** Finds the atoms without any word of their own, which only the engine can see. */
  markBlind: (blind: readonly number[]) => ((bytes: Buffer, present: Uint8Array) => void) | null,
): Glance | null {
  const { keys, hashes, keysOfSign, patterns, nears, everywhere, blind } = waiting;
  const watched = [...new Set(blind.flatMap((one) => one.atoms))];
  const mark = markBlind(watched);
  if (mark === null) return null;

  const hashed = hashKeys(keys, hashes);
  const alike = alikeIn(keys, hashed.numbers, keysOfSign);
  /** The sign for which each number was listed last, so that no list below holds a number twice. */
  const asked = new Int32Array(alike.count).fill(-1);
  /** For each sign, the numbers under which its keys are spotted. */
  const numbersOf = keysOfSign.map((members, sign) => {
    const numbers: number[] = [];
    for (const key of members) {
      const number = alike.of[hashed.numbers[key]!]!;
      if (asked[number] !== sign) numbers.push(number);
      asked[number] = sign;
    }
    return numbers;
  });
  const told = alike.of.slice(0, hashed.count);
  for (const [key, flags] of flagsOf(waiting).entries()) told[hashed.numbers[key]!]! |= flagged(flags);
  const besides = patterns.map(({ others }) => others.map(({ sign }) => sign));
  const met = nears.map(({ beside, others }) => [...others, ...beside.map(({ sign }) => sign)]);
  const presence = createPresence([...besides, ...met], numbersOf, alike.count);
  for (const [number, key] of alike.of.subarray(0, hashed.count).entries())
    if (presence.isAsked[key] === 1) told[number]! |= ASKED;
  const spotter = hashed.telling(told);
  const neighbours = createNeighbours(patterns, numbersOf, alike.count, presence.canMeet);
  const meetings = createMeetings(nears, numbersOf, alike.count, (wait) => presence.canMeet(patterns.length + wait));
  const farthest = [...patterns, ...nears].reduce((most, { reach }) => Math.max(most, reach), 0);
  // Used by one look after the other. A look is never interrupted by another, and making these anew for each would cost
  // more than a short text.
  const spotted = nothingSpotted();
  const present = new Uint8Array(1 + Math.max(0, ...watched));
  const isThere = new Uint8Array(alike.count);

  return {
    look(text, cancelled) {
      const { length } = text;
      const units = unitsOf(text);
      for (let from = 0; from < length; from += SLICE) {
        if (cancelled()) return null;
        const to = Math.min(from + SLICE, length);
        spotter.spot(units, from, to, to === length, spotted);
      }
      const count = length === 0 ? 0 : spotted.count;
      let begun = 0;
      for (let i = 0; i < count; i += 1) begun |= spotted.keys[i]!;
      begun &= BEGIN;
      if (length === 0 || (begun === 0 && watched.length === 0)) return NOTHING;

      // Distances are measured without long padding between words.
      const padding = paddingIn(units, length, spotted.thirds, spotted.runs);
      padding?.close(spotted.ends, count);
      const closedLength = padding?.closed(length) ?? length;
      const sightings: Gathered = new Map();
      const note: Note = (sight, end, reach) =>
        add(sightings, sight, Math.max(0, end - reach), Math.min(closedLength, end + reach));
      for (let from = 0; begun !== 0 && from < count; from += BLOCK) {
        if (cancelled()) return null;
        const to = Math.min(from + BLOCK, count);
        const { ends } = spotted;
        let back = from;
        while (back > 0 && ends[back - 1]! >= ends[from]! - farthest) back -= 1;
        let ahead = to;
        while (ahead < count && ends[ahead]! <= ends[to - 1]! + farthest) ahead += 1;
        presence.look(spotted, back, ahead, ASKED);
        if ((begun & PATTERN) !== 0) neighbours(spotted, from, to, note);
        if ((begun & NEAR) !== 0) meetings(spotted, from, to, note);
      }
      if (padding !== null)
        for (const ranges of sightings.values())
          for (const range of ranges) {
            range[0] = padding.opened(range[0]);
            range[1] = padding.opened(range[1]);
          }
      if ((begun & ALL) !== 0) {
        for (let i = 0; i < count; i += 1) isThere[spotted.keys[i]! & NUMBER] = 1;
        for (const sight of everywhere)
          if (sight.signs.every((sign) => numbersOf[sign]!.some((key) => isThere[key] === 1)))
            sightings.set(sight, [[0, length]]);
        isThere.fill(0);
      }
      if (watched.length > 0) {
        present.fill(0);
        for (const slice of windows(Buffer.from(text))) {
          if (cancelled()) return null;
          mark(slice, present);
        }
        for (const sight of blind)
          if (sight.atoms.every((atom) => present[atom] === 1)) sightings.set(sight, [[0, length]]);
      }
      for (const [sight, ranges] of sightings) {
        for (const range of ranges) widen(range, text, sight);
        if (!couldMatch(sight, ranges, text)) sightings.delete(sight);
      }
      return { sightings, padding };
    },
  };
}

/**
 * What was spotted can begin a sighting: as the trigger of a pattern, of words near each other, or of words anywhere.
 */
const PATTERN = flagged(FLAG.pattern);
const NEAR = flagged(FLAG.near);
const ALL = flagged(FLAG.everywhere);
const ASKED = flagged(FLAG.asked);
const BEGIN = PATTERN | NEAR | ALL;
