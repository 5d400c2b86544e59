import type { Passage } from '../domain/passage.ts';
import type { Ranges, Sightings } from './glance/sightings.ts';
import { unitsOfSeam, unreadOf } from './seams.ts';
import type { Seam, Unit } from './seams.ts';
import type { Sight } from './glance/waiting.ts';

/**
 * All passages of a body as one text, in order, followed by what their seams add. Reading this text once tells of every
 * unit (passage or seam) whether it needs more than the first look.
 */
export interface Body {
  readonly text: string;
  /** The texts that `text` joins with line ends. */
  readonly parts: readonly string[];
  /**
   * The passage that is all of the body, or nearly all. What the first look sees in the body then holds for this
   * passage.
   */
  readonly main: Passage | null;
  /** The units to judge: all of them, or only those in which, or across a cut of which, something was seen. */
  readonly units: (seen: Sightings, all: boolean) => readonly Judged[];
}

export interface Judged {
  readonly unit: Unit;
  /** The seam that the unit was made from; null for a passage. */
  readonly seam: Seam | null;
  /** What the first look saw in the unit as it stands; null where the unit was not looked at yet. */
  readonly seen: Sightings | null;
}

export function bodyOf(passages: readonly Passage[], seams: readonly Seam[]): Body {
  if (passages.length === 1 && seams.length === 0) {
    const only = passages[0] as Passage;
    return { text: only.text, parts: [only.text], main: only, units: (seen) => [{ unit: only, seam: null, seen }] };
  }
  const unread = seams.map(unreadOf);
  const parts = passages.map((passage) => passage.text);
  for (const { blank, closed } of unread) for (const text of [blank, closed]) if (text !== null) parts.push(text);
  const text = parts.join('\n');
  return {
    text,
    parts,
    main: passages.find((passage) => passage.text.length > MOST_OF_IT * text.length) ?? null,
    units(seen, all) {
      let ranges = 0;
      for (const each of seen.values()) ranges += each.length;
      if (ranges * passages.length > MOST_COMPARED) return everyUnit(passages, seams);
      const judged: Judged[] = [];
      const ends = new Map<Passage, number>();
      let at = 0;
      for (const unit of passages) {
        const inUnit = within(seen, at, at + unit.text.length);
        if (all || inUnit.size > 0) judged.push({ unit, seam: null, seen: inUnit });
        at += unit.text.length + 1;
        ends.set(unit, at - 1);
      }
      const seenOf = (text: string | null): Sightings | null => {
        if (text === null) return null;
        at += text.length + 1;
        return within(seen, at - text.length - 1, at - 1);
      };
      for (const [i, seam] of seams.entries()) {
        const cuts = seam.inOrder ? seam.parts.slice(0, -1).map((part) => ends.get(part)!) : [];
        const inBlank = seenOf(unread[i]!.blank);
        const inClosed = seenOf(unread[i]!.closed);
        const isSeen = [inBlank, inClosed].some((one) => one !== null && one.size > 0);
        if (!all && !isSeen && !cuts.some((cut) => isAcross(seen, cut))) continue;
        const [blank, closed] = unitsOfSeam(seam);
        judged.push({ unit: blank, seam, seen: inBlank });
        judged.push({ unit: closed, seam, seen: inClosed ?? moved(inBlank, blank.text, closed.text) });
      }
      return judged;
    },
  };
}

/**
 * The share of the body that makes a passage the main one. Next to a question there is only the name of a model; a
 * longer part could have decoder hints of its own.
 */
const MOST_OF_IT = 0.9;

/**
 * Most pairs of a range and a passage that are compared. A sender may write ten thousand messages with something to be
 * seen in each: then each unit is simply looked at again.
 */
const MOST_COMPARED = 262_144;

function everyUnit(passages: readonly Passage[], seams: readonly Seam[]): Judged[] {
  return [
    ...passages.map((unit) => ({ unit, seam: null, seen: null })),
    ...seams.flatMap((seam) => unitsOfSeam(seam).map((unit) => ({ unit, seam, seen: null }))),
  ];
}

const NOTHING: Sightings = new Map();

/** The sightings that overlap `[from, to)`, cut to it and counted from `from`. */
function within(sightings: Sightings, from: number, to: number): Sightings {
  let inside: Map<Sight, Ranges> | null = null;
  for (const [sight, ranges] of sightings) {
    let cut: [number, number][] | null = null;
    for (const [start, end] of ranges)
      if (start < to && from < end) (cut ??= []).push([Math.max(0, start - from), Math.min(to, end) - from]);
    if (cut !== null) (inside ??= new Map<Sight, Ranges>()).set(sight, cut);
  }
  return inside ?? NOTHING;
}

/** Whether something was seen across a cut between two passages. */
function isAcross(sightings: Sightings, cut: number): boolean {
  for (const ranges of sightings.values())
    for (const [start, end] of ranges) if (start <= cut && cut < end) return true;
  return false;
}

/**
 * The sightings of a seam joined with blanks, moved to where they stand in the same seam joined without. Only for seams
 * in which leaving out the blanks makes no new words.
 */
function moved(sightings: Sightings | null, blank: string, closed: string): Sightings | null {
  if (sightings === null || sightings.size === 0) return sightings;
  const blanks = blank.length - closed.length;
  const there = new Map<Sight, Ranges>();
  for (const [sight, ranges] of sightings)
    there.set(
      sight,
      ranges.map(([from, to]) => [Math.max(0, from - blanks), Math.min(to, closed.length)]),
    );
  return there;
}
