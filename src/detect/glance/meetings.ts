import { createBeside } from './beside.ts';
import type { Note } from './sightings.ts';
import { listsOf } from './lists.ts';
import type { Spotted } from './spotter.ts';
import { flagged, NUMBER } from './told.ts';
import { FLAG } from './waiting.ts';
import type { NearWait } from './waiting.ts';

const TRIGGER = flagged(FLAG.near);
const MET = flagged(FLAG.met);

/**
 * For each trigger of words that must stand near each other: whether the others are within reach, on either side. Most
 * often one of them is nowhere near. If few candidates are left, each place of the other words is looked at. If many
 * are left, one sweep forwards and one back does it, so that a text of nothing but triggers costs a little for each
 * trigger, and not a look at all places for each.
 */
export function createMeetings(
  waits: readonly NearWait[],
  numbersOf: readonly (readonly number[])[],
  keys: number,
  /** Whether all words that the wait asks for stand anywhere near. */
  canMeet: (wait: number) => boolean,
): (spotted: Spotted, from: number, to: number, note: Note) => void {
  /** Signs that are asked for here, numbered anew: they are few, so that the arrays about them stay short. */
  const numberOf = new Map<number, number>();
  const asked: Wait[] = waits.map((sight) => {
    const others = sight.others.map((sign) => {
      const number = numberOf.get(sign) ?? numberOf.size;
      numberOf.set(sign, number);
      return number;
    });
    return { sight, others, reach: sight.reach };
  });
  const standBeside = createBeside(
    waits.flatMap(({ beside }) => beside),
    numbersOf,
    keys,
  );
  const { starts, members: waiting } = listsOf(keys, (tell) => {
    for (const [number, { trigger }] of waits.entries()) for (const key of numbersOf[trigger]!) tell(key, number);
  });
  const { starts: firstSigns, members: signs } = listsOf(keys, (tell) => {
    for (const [sign, number] of numberOf) for (const key of numbersOf[sign]!) tell(key, number);
  });
  const farthest = waits.reduce((most, { reach }) => Math.max(most, reach), 0);

  /**
   * For each sign, the round in which a trigger last waited for it, and the last of its places in that round. `earlier`
   * leads from each place to the one before.
   */
  const wanted = new Int32Array(numberOf.size);
  const latest = new Int32Array(numberOf.size);
  let round = 0;
  let places = 0;
  let earlier = new Int32Array(1024);
  let place = new Int32Array(1024);
  let signAt = new Int32Array(1024);
  const last = new Float64Array(numberOf.size);
  const next = new Float64Array(numberOf.size);
  /** Pairs of a spotted trigger and a wait, whose own pattern may stand there. `candidateCount` counts numbers, not pairs. */
  let candidates = new Int32Array(1024);
  let candidateCount = 0;
  /** For each candidate, a bit for each of the other words that are within reach. */
  let met = new Uint8Array(256);

  function findCandidates(spotted: Spotted, from: number, to: number, back: number, ahead: number): void {
    const { keys } = spotted;
    round = (round + 1) | 0;
    candidateCount = 0;
    for (let i = from; i < to; i += 1) {
      if ((keys[i]! & TRIGGER) === 0) continue;
      const key = keys[i]! & NUMBER;
      const end = starts[key + 1]!;
      for (let k = starts[key]!; k < end; k += 1) {
        const wait = waiting[k]!;
        if (!canMeet(wait)) continue;
        if (candidateCount === candidates.length) candidates = twice(candidates, 0);
        candidates[candidateCount] = i;
        candidates[candidateCount + 1] = wait;
        candidateCount += 2;
        const { others } = asked[wait]!;
        for (let m = 0; m < others.length; m += 1) {
          wanted[others[m]!] = round;
          latest[others[m]!] = NONE;
        }
      }
    }
    places = 0;
    for (let i = back; candidateCount > 0 && i < ahead; i += 1) {
      if ((keys[i]! & MET) === 0) continue;
      const key = keys[i]! & NUMBER;
      const first = firstSigns[key]!;
      const end = firstSigns[key + 1]!;
      if (places + end - first > place.length) {
        earlier = twice(earlier, places + end - first);
        place = twice(place, places + end - first);
        signAt = twice(signAt, places + end - first);
      }
      for (let k = first; k < end; k += 1) {
        const sign = signs[k]!;
        if (wanted[sign] !== round) continue;
        earlier[places] = latest[sign]!;
        place[places] = i;
        signAt[places] = sign;
        latest[sign] = places;
        places += 1;
      }
    }
    // Those stay of which all other words are near the block.
    let kept = 0;
    for (let at = 0; at < candidateCount; at += 2) {
      const i = candidates[at]!;
      const wait = candidates[at + 1]!;
      const { sight, others, reach } = asked[wait]!;
      let all = true;
      for (let m = 0; all && m < others.length; m += 1) all = latest[others[m]!] !== NONE;
      if (!all || !standBeside(spotted, i, sight.beside, reach)) continue;
      candidates[kept] = i;
      candidates[kept + 1] = wait;
      kept += 2;
    }
    candidateCount = kept;
  }

  /** Whether a sign that was seen stands within reach, or ends in the same word. */
  function stands(ends: Int32Array, end: number, sign: number, reach: number): boolean {
    for (let at = latest[sign]!; at !== NONE; at = earlier[at]!) {
      const away = ends[place[at]!]! - end;
      if (away < -reach) return false;
      if (away <= reach) return true;
    }
    return false;
  }

  /** Finds out for each candidate which other words are within reach: once forwards and once back over all places. */
  function sweep(ends: Int32Array): void {
    if (met.length < candidateCount) met = new Uint8Array(2 * candidateCount);
    last.fill(-Infinity);
    for (let at = 0, passed = 0; at < candidateCount; at += 2) {
      const i = candidates[at]!;
      const { others, reach } = asked[candidates[at + 1]!]!;
      for (; passed < places && place[passed]! <= i; passed += 1) last[signAt[passed]!] = ends[place[passed]!]!;
      let mask = 0;
      for (let m = 0; m < others.length; m += 1) if (last[others[m]!]! >= ends[i]! - reach) mask |= 1 << m;
      met[at] = mask;
    }
    next.fill(Infinity);
    for (let at = candidateCount - 2, passed = places - 1; at >= 0; at -= 2) {
      const i = candidates[at]!;
      const { others, reach } = asked[candidates[at + 1]!]!;
      for (; passed >= 0 && place[passed]! >= i; passed -= 1) next[signAt[passed]!] = ends[place[passed]!]!;
      for (let m = 0; m < others.length; m += 1) if (next[others[m]!]! <= ends[i]! + reach) met[at]! |= 1 << m;
    }
  }

  return (spotted, from, to, note) => {
    const { ends, count } = spotted;
    let back = from;
    while (back > 0 && ends[back - 1]! >= ends[from]! - farthest) back -= 1;
    let ahead = to;
    while (ahead < count && ends[ahead]! <= ends[to - 1]! + farthest) ahead += 1;
    findCandidates(spotted, from, to, back, ahead);
    if (candidateCount <= FEW) {
      for (let at = 0; at < candidateCount; at += 2) {
        const i = candidates[at]!;
        const { sight, others, reach } = asked[candidates[at + 1]!]!;
        if (others.every((sign) => stands(ends, ends[i]!, sign, reach))) note(sight, ends[i]!, reach);
      }
      return;
    }
    sweep(ends);
    for (let at = 0; at < candidateCount; at += 2) {
      const i = candidates[at]!;
      const { sight, others, reach } = asked[candidates[at + 1]!]!;
      if (met[at] === (1 << others.length) - 1) note(sight, ends[i]!, reach);
    }
  };
}

/** Up to this length of `candidates` (two numbers for each), every place is looked at. */
const FEW = 64;
const NONE = -1;

function twice(column: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(Math.max(2 * column.length, least));
  longer.set(column);
  return longer;
}

interface Wait {
  readonly sight: NearWait;
  /** Its other words, by their numbers in this file. */
  readonly others: readonly number[];
  readonly reach: number;
}
