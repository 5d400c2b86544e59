import type { Passage } from '../domain/passage.ts';
import type { Ranges, Sightings } from './glance.ts';
import { unitsOfSeam, unreadOf } from './seams.ts';
import type { Seam, Unit } from './seams.ts';
import type { Sight } from './waiting.ts';

/**
 * All passages of a body as one text, in order, and behind them what their seams add: read once, it tells of every unit
 * whether that is worth more than the one look.
 */
export interface Body {
  readonly text: string;
  /** What it is put together of. */
  readonly parts: readonly string[];
  /** The one passage that is all of the body, or nearly: what was seen of the body is what there is to be seen of it. */
  readonly main: Passage | null;
  /** All units; or those that something was seen in, or over a cut of. */
  readonly units: (seen: Sightings, all: boolean) => readonly Judged[];
}

export interface Judged {
  readonly unit: Unit;
  /** The seam that it is of; null for a passage. */
  readonly seam: Seam | null;
  /** What was seen in it as it stands; null where it was not read as it stands. */
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
        if (!all && !isSeen && !cuts.some((cut) => within(seen, cut, cut + 1).size > 0)) continue;
        const [blank, closed] = unitsOfSeam(seam);
        judged.push({ unit: blank, seam, seen: inBlank });
        judged.push({ unit: closed, seam, seen: inClosed ?? moved(inBlank, blank.text, closed.text) });
      }
      return judged;
    },
  };
}

/** Beside a question stands the name of a model; a part that is longer has hints of its own. */
const MOST_OF_IT = 0.9;

/** A sender may write ten thousand messages with something to be seen in each: then each is looked at again. */
const MOST_COMPARED = 262_144;

function everyUnit(passages: readonly Passage[], seams: readonly Seam[]): Judged[] {
  return [
    ...passages.map((unit) => ({ unit, seam: null, seen: null })),
    ...seams.flatMap((seam) => unitsOfSeam(seam).map((unit) => ({ unit, seam, seen: null }))),
  ];
}

const NOTHING: Sightings = new Map();

function within(sightings: Sightings, from: number, to: number): Sightings {
  if (sightings.size === 0) return NOTHING;
  const inside = new Map<Sight, Ranges>();
  for (const [sight, ranges] of sightings) {
    const cut = ranges.filter(([start, end]) => start < to && from < end);
    if (cut.length === 0) continue;
    inside.set(
      sight,
      cut.map(([start, end]) => [Math.max(0, start - from), Math.min(to, end) - from]),
    );
  }
  return inside;
}

/** The same words, and no others, stand in a seam without its blanks: where they do not make new ones. */
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
