import { bySureness, type Finding } from '../domain/finding.ts';
import { LENIENT_ROLES, THIRD_PARTY, type Passage, type Role } from '../domain/passage.ts';
import { areNear, mergePlaces } from '../domain/place.ts';
import type { Category } from '../domain/verdict.ts';
import { isErrand } from '../likeness/errands.ts';
import type { Models } from '../likeness/load.ts';
import type { Resemblance } from '../likeness/score.ts';
import { namesOfDecoders } from '../text/decoders/index.ts';
import { isHeap } from '../text/readings.ts';
import type { Reading } from '../text/readings.ts';
import type { Judged } from './body.ts';
import type { Offsets } from './places.ts';
import { OVERLAP, SLICE } from './engine/windows.ts';

/**
 * The statistical scanner beside the signatures: a finding for each text that resembles known attacks. It counts in the
 * category of the signatures found near it, since findings of two categories would not add up. Without any, it counts
 * in the category that the text looks most like.
 */
export interface Resembling {
  /**
   * Judges each passage as it stands. `bytes` holds all of them joined by line ends, and may hold more behind them.
   * False when cancelled.
   */
  readonly passages: (passages: readonly Passage[], bytes: Buffer) => boolean;
  /** Judges what was decoded from a passage. False when cancelled. */
  readonly reading: (unit: Judged['unit'], reading: Reading) => boolean;
  /** How far a reading is from resembling attacks (`lackIn` of likeness/score.ts), or the text as it was written, if nearer. */
  readonly lackIn: (unit: Judged['unit'], reading: Pick<Reading, 'text'>) => number;
  /** Adds a finding from the last time this passage was read. */
  readonly again: (owner: object, finding: Finding) => void;
  readonly in: (owner: object) => readonly Finding[];
  readonly has: (owner: object) => boolean;
  /** Forgets what was found in a passage. */
  readonly drop: (owner: object) => void;
  /** The findings of a whole body, with those of this scanner added. `owners` are the passages of the body. */
  readonly beside: (findings: readonly Finding[], owners: readonly object[]) => readonly Finding[];
}

export const LIKENESS = 'likeness';
const NAME = 'Resembles known attacks';

/**
 * People who write instructions write like people who attack them. Texts of these roles are the operator's own words or
 * the model's: signatures say of them what is certain, and a resemblance is not.
 */
const SPARED = LENIENT_ROLES;

/**
 * `planted` finds a third of what it looks for, so that a text has to be further from all that it knows before that says
 * something.
 */
export const PLANTED_IS_NEARER = 0.5;

const GUESSED = namesOfDecoders(({ guesses }) => guesses === true);

/**
 * The confidence needed for fields of records that are read one after another: titles and tasks in rows look a little
 * like orders.
 */
const SURE_OF_HEAP = 0.72;

/**
 * The confidence needed for an everyday errand in a document, such as "Kindly approve the request". `planted` is not
 * believed there at all, and a weak resemblance to what users ask of a model says nothing of what people ask each other.
 */
const SURE_OF_ERRAND = 0.5;

/**
 * Most findings kept of one role and category. Of a conversation in which each message resembles attacks a little, the
 * weakest are joined.
 */
const MOST = 16;

const AS_IT_STANDS: readonly string[] = [];
const POINTING: ReadonlySet<Category> = new Set<Category>(['prompt-injection', 'jailbreak']);

export function createResembling(models: Models, offsets: Offsets, cancelled: () => boolean): Resembling {
  const byOwner = new Map<object, Few>();
  /** A reading is asked about once for each sign in it, and most are never asked about. */
  let lastAsked: {
    readonly role: Role;
    readonly written: string;
    readonly text: string;
    readonly lack: number;
  } | null = null;

  function keep(owner: object, finding: Finding): void {
    const own = byOwner.get(owner) ?? createFew();
    own.add(finding);
    byOwner.set(owner, own);
  }

  function look(
    unit: Judged['unit'],
    reading: Pick<Reading, 'text' | 'via' | 'cutFrom'>,
    bytes: Buffer,
    from: number,
    to: number,
  ): boolean {
    const { role, where } = unit;
    const { via } = reading;
    if (SPARED.has(role)) return true;
    for (let start = from; ; start += SLICE - OVERLAP) {
      if (cancelled()) return false;
      const end = Math.min(start + SLICE, to);
      const asked = models.asked.resemblanceOf(bytes, start, end);
      const planted = THIRD_PARTY.has(role) ? models.planted.resemblanceOf(bytes, start, end) : null;
      const isAnErrand = planted !== null && isErrand(bytes, from, to);
      const found = isAnErrand ? asked : surer(asked, planted);
      const least = isHeap(via) ? SURE_OF_HEAP : isAnErrand ? SURE_OF_ERRAND : 0;
      if (found !== null && found.confidence >= least) {
        const begin = bytes.toString('utf8', from, found.begin).length;
        const place = [begin, begin + bytes.toString('utf8', found.begin, found.end).length] as const;
        const places = offsets.placesIn({ unit, seam: null }, reading, [place]);
        const { category, confidence } = found;
        keep(unit, { signature: LIKENESS, name: NAME, category, confidence, role, where, via, places });
      }
      if (end === to) return true;
    }
  }

  function lackOf(role: Role, text: string): number {
    const bytes = Buffer.from(text);
    let lack = Infinity;
    for (let start = 0; lack > 0 && !cancelled(); start += SLICE - OVERLAP) {
      const end = Math.min(start + SLICE, bytes.length);
      lack = Math.min(lack, models.asked.lackIn(bytes, start, end));
      if (THIRD_PARTY.has(role)) lack = Math.min(lack, models.planted.lackIn(bytes, start, end) - PLANTED_IS_NEARER);
      if (end === bytes.length) break;
    }
    return lack;
  }

  return {
    passages(passages, bytes) {
      let from = 0;
      for (const passage of passages) {
        const to = from + Buffer.byteLength(passage.text);
        if (!look(passage, { text: passage.text, via: AS_IT_STANDS }, bytes, from, to)) return false;
        from = to + 1;
      }
      return true;
    },
    reading(unit, reading) {
      if (reading.via.some((name) => GUESSED.has(name))) return true;
      const bytes = Buffer.from(reading.text);
      return look(unit, reading, bytes, 0, bytes.length);
    },
    lackIn({ role, text: written }, { text }) {
      if (lastAsked?.text === text && lastAsked.written === written && lastAsked.role === role) return lastAsked.lack;
      const lack = Math.min(lackOf(role, text), text === written ? Infinity : lackOf(role, written));
      lastAsked = { role, written, text, lack };
      return lack;
    },
    again: keep,
    in: (owner) => byOwner.get(owner)?.all() ?? [],
    has: (owner) => byOwner.has(owner),
    drop: (owner) => void byOwner.delete(owner),
    beside(findings, owners) {
      if (byOwner.size === 0) return findings;
      const alike = createFew();
      for (const owner of owners) for (const finding of byOwner.get(owner)?.all() ?? []) alike.add(finding);
      const all = [...findings];
      for (const finding of alike.all().sort(bySureness)) {
        const near = findings.filter((other) => POINTING.has(other.category) && areNear(other, finding));
        // What somebody else says nearby may count for less, and this with it.
        const pointed = near.find(({ role }) => role === finding.role) ?? near[0];
        all.push(pointed === undefined ? finding : { ...finding, category: pointed.category });
      }
      return all;
    },
  };
}

/** The surer of the two and not both: models that know the same words are not two signals. */
function surer(one: Resemblance | null, other: Resemblance | null): Resemblance | null {
  return (one?.confidence ?? 0) >= (other?.confidence ?? 0) ? one : other;
}

/** Findings of which each role and category has a few. */
interface Few {
  readonly add: (finding: Finding) => void;
  readonly all: () => Finding[];
}

function createFew(): Few {
  const groups = new Map<string, Finding[]>();
  return {
    add(finding) {
      const name = `${finding.role} ${finding.category}`;
      const group = groups.get(name) ?? [];
      if (group.push(finding) > MOST) joinWeakest(group);
      groups.set(name, group);
    },
    all: () => [...groups.values()].flat(),
  };
}

/**
 * Joins the two weakest findings into one with the higher confidence, at the places of both, so that none is missing
 * from what it stands near.
 */
function joinWeakest(alike: Finding[]): void {
  alike.sort(bySureness);
  const [surer, weaker] = alike.splice(-2) as [Finding, Finding];
  alike.push({ ...surer, places: surer.places && weaker.places && mergePlaces([...surer.places, ...weaker.places]) });
}
