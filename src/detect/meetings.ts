import type { Note } from './glance.ts';
import { listsOf } from './lists.ts';
import { createMembers } from './sign-members.ts';
import { flagged, NUMBER } from './spotter.ts';
import type { Spotted } from './spotter.ts';
import { FLAG } from './waiting.ts';
import type { NearWait } from './waiting.ts';

const TRIGGER = flagged(FLAG.near);
const MET = flagged(FLAG.met);

/**
 * For each trigger of words that must stand near each other: whether the others are within reach, on either side. Most often
 * one of them stands nowhere near. Around the few that are left the others are searched for; of many, one sweep forwards and
 * one back, so that a text of nothing but triggers costs a little for each and not a search around each.
 */
export function createMeetings(
  waits: readonly NearWait[],
  numbersOf: readonly (readonly number[])[],
  keys: number,
): (spotted: Spotted, from: number, to: number, note: Note) => void {
  /** Few of all signs are asked for here: numbered anew, what is kept of them is short. */
  const numberOf = new Map<number, number>();
  const asked: Wait[] = waits.map((sight) => {
    const others = sight.others.map((sign) => {
      const number = numberOf.get(sign) ?? numberOf.size;
      numberOf.set(sign, number);
      return number;
    });
    return { sight, others, reach: sight.reach };
  });
  const { starts, members: waiting } = listsOf(keys, (tell) => {
    for (const [number, { trigger }] of waits.entries()) for (const key of numbersOf[trigger]!) tell(key, number);
  });
  const { starts: firstSigns, members: signs } = listsOf(keys, (tell) => {
    for (const [sign, number] of numberOf) for (const key of numbersOf[sign]!) tell(key, number);
  });
  const isIn = createMembers(
    waits.flatMap(({ others }) => others),
    numbersOf,
    keys,
  );
  const farthest = waits.reduce((most, { reach }) => Math.max(most, reach), 0);

  /** Of each sign, which round it was last seen in, and where. */
  const seen = new Int32Array(numberOf.size);
  let round = 0;
  const last = new Float64Array(numberOf.size);
  const next = new Float64Array(numberOf.size);
  /** Triggers all of whose other words stand somewhere near the block, and which of them stand within reach. */
  let candidates: number[] = [];
  let met = new Uint8Array(256);

  function findCandidates({ keys }: Spotted, from: number, to: number, back: number, ahead: number): void {
    round = (round + 1) | 0;
    for (let i = back; i < ahead; i += 1) {
      if ((keys[i]! & MET) === 0) continue;
      const key = keys[i]! & NUMBER;
      const end = firstSigns[key + 1]!;
      for (let k = firstSigns[key]!; k < end; k += 1) seen[signs[k]!] = round;
    }
    candidates = [];
    for (let i = from; i < to; i += 1) {
      if ((keys[i]! & TRIGGER) === 0) continue;
      const key = keys[i]! & NUMBER;
      const end = starts[key + 1]!;
      for (let k = starts[key]!; k < end; k += 1) {
        const { others } = asked[waiting[k]!]!;
        let all = true;
        for (let m = 0; all && m < others.length; m += 1) all = seen[others[m]!] === round;
        if (all) candidates.push(i, waiting[k]!);
      }
    }
  }

  /** Whether one of a sign's keys stands within reach of the one at `at`, or ends in the same word. */
  function stands({ keys, ends, count }: Spotted, at: number, sign: number, reach: number): boolean {
    const end = ends[at]!;
    for (let i = at; i >= 0 && ends[i]! >= end - reach; i -= 1) if (isIn(keys[i]! & NUMBER, sign)) return true;
    for (let i = at + 1; i < count && ends[i]! <= end + reach; i += 1) if (isIn(keys[i]! & NUMBER, sign)) return true;
    return false;
  }

  return (spotted, from, to, note) => {
    const { keys, ends, count } = spotted;
    let back = from;
    while (back > 0 && ends[back - 1]! >= ends[from]! - farthest) back -= 1;
    let ahead = to;
    while (ahead < count && ends[ahead]! <= ends[to - 1]! + farthest) ahead += 1;
    findCandidates(spotted, from, to, back, ahead);
    if (candidates.length <= FEW) {
      for (let at = 0; at < candidates.length; at += 2) {
        const i = candidates[at]!;
        const { sight, reach } = asked[candidates[at + 1]!]!;
        if (sight.others.every((sign) => stands(spotted, i, sign, reach))) note(sight, ends[i]!, reach);
      }
      return;
    }
    if (met.length < candidates.length) met = new Uint8Array(2 * candidates.length);

    last.fill(-Infinity);
    for (let i = back, at = 0; at < candidates.length; i += 1) {
      const end = ends[i]!;
      const key = keys[i]! & NUMBER;
      const afterSigns = firstSigns[key + 1]!;
      for (let k = firstSigns[key]!; k < afterSigns; k += 1) last[signs[k]!] = end;
      for (; candidates[at] === i; at += 2) {
        const { others, reach } = asked[candidates[at + 1]!]!;
        let mask = 0;
        for (let m = 0; m < others.length; m += 1) if (last[others[m]!]! >= end - reach) mask |= 1 << m;
        met[at] = mask;
      }
    }
    next.fill(Infinity);
    for (let i = ahead - 1, at = candidates.length - 2; at >= 0; i -= 1) {
      const end = ends[i]!;
      const key = keys[i]! & NUMBER;
      const afterSigns = firstSigns[key + 1]!;
      for (let k = firstSigns[key]!; k < afterSigns; k += 1) next[signs[k]!] = end;
      for (; candidates[at] === i; at -= 2) {
        const { others, reach } = asked[candidates[at + 1]!]!;
        for (let m = 0; m < others.length; m += 1) if (next[others[m]!]! <= end + reach) met[at]! |= 1 << m;
      }
    }
    for (let at = 0; at < candidates.length; at += 2) {
      const i = candidates[at]!;
      const { sight, others, reach } = asked[candidates[at + 1]!]!;
      if (met[at] === (1 << others.length) - 1) note(sight, ends[i]!, reach);
    }
  };
}

/** Two numbers each. */
const FEW = 64;

interface Wait {
  readonly sight: NearWait;
  /** Its other words, as they are numbered here. */
  readonly others: readonly number[];
  readonly reach: number;
}
