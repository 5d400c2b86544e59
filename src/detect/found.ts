import type { Finding } from '../domain/finding.ts';
import type { Passage } from '../domain/passage.ts';
import type { Place } from '../domain/place.ts';
import type { Offsets } from './places.ts';
import { authorOf, type Seam } from './seams.ts';

/** What was found in a text, wherever that stands and whoever says it: places are counted from where the text begins. */
export type Kept = Omit<Finding, 'role' | 'where'>;

/**
 * What was found in texts that were read lately, beside those in which nothing was. What an agent sends with every turn, its
 * instructions and its tools, holds signs that are too weak to count; read again for them, they cost a hundred times what
 * all the rest of its history does. No word of a text is kept.
 */
export interface FoundTexts {
  readonly of: (high: number, low: number) => readonly Kept[] | undefined;
  readonly keep: (high: number, low: number, kept: readonly Kept[]) => void;
}

/** More than that are of a text that is refused, and may be read again. */
const MOST = 16;

/** Two generations of so many. */
export function createFoundTexts(capacity: number): FoundTexts {
  let young = new Map<string, readonly Kept[]>();
  let old = new Map<string, readonly Kept[]>();

  function add(key: string, kept: readonly Kept[]): void {
    if (young.size >= capacity) {
      old = young;
      young = new Map();
    }
    young.set(key, kept);
  }

  return {
    of(high, low) {
      const key = `${high} ${low}`;
      const known = young.get(key);
      if (known !== undefined) return known;
      const older = old.get(key);
      if (older !== undefined) add(key, older);
      return older;
    },
    keep(high, low, kept) {
      if (kept.length <= MOST) add(`${high} ${low}`, kept);
    },
  };
}

/** A text of a body, with what was found in it when it was read. */
export type Found = { readonly kept: readonly Kept[] } & (
  { readonly passage: Passage; readonly seam: null } | { readonly passage: null; readonly seam: Seam }
);

export function keptOf(owner: Passage | Seam, findings: readonly Finding[], offsets: Offsets): readonly Kept[] {
  if (findings.length === 0) return NOTHING;
  const start = 'text' in owner ? startOf(owner, offsets) : 0;
  return findings.map(({ signature, name, category, confidence, via, places }) => ({
    signature,
    name,
    category,
    confidence,
    via,
    places: moved(places, -start),
  }));
}

const NOTHING: readonly Kept[] = [];

/** As if it had been found in this body. Where it is found, in a seam, follows from where its parts stand. */
export function recalled({ kept, passage, seam }: Found, offsets: Offsets): readonly Finding[] {
  const { role, where } = passage ?? authorOf(seam);
  if (passage !== null) {
    const start = startOf(passage, offsets);
    return kept.map((each) => ({ ...each, role, where, places: moved(each.places, start) }));
  }
  const unit = { text: '', role, where };
  const places = offsets.placesIn({ unit, seam }, { text: '', via: [] }, []);
  return kept.map((each) => ({ ...each, role, where, places }));
}

function startOf(passage: Passage, offsets: Offsets): number {
  const places = offsets.placesIn({ unit: passage, seam: null }, { text: passage.text, via: [] }, []);
  return places?.[0]?.[0] ?? 0;
}

function moved(places: readonly Place[] | undefined, by: number): readonly Place[] | undefined {
  return places?.map(([from, to]) => [from + by, to + by]);
}
