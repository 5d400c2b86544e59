import type { Finding } from '../domain/finding.ts';
import type { Passage } from '../domain/passage.ts';
import type { Place } from '../domain/place.ts';
import { createLately } from './known/lately.ts';
import type { Offsets } from './places.ts';
import { authorOf, type Seam } from './seams.ts';

/** A finding without where its text stands and who said it. Places are counted from the beginning of the text. */
export type Kept = Omit<Finding, 'role' | 'where'>;

/**
 * A cache of what was found in texts that were read lately; known-texts.ts remembers the clean ones. What an agent
 * sends with every turn, its instructions and tools, holds signals too weak to count. Reading it again for those would
 * cost a hundred times what the rest of the agent's history costs. Texts are known by a keyed hash (`high`, `low`), and
 * no word of them is kept.
 */
export interface FoundTexts {
  readonly of: (high: number, low: number) => readonly Kept[] | undefined;
  readonly keep: (high: number, low: number, kept: readonly Kept[]) => void;
}

/** A text with more findings than this is refused anyway, and may be read again. */
const MOST = 16;

export function createFoundTexts(capacity: number): FoundTexts {
  const texts = createLately<readonly Kept[]>(capacity);
  return {
    of: (high, low) => texts.get(`${high} ${low}`),
    keep(high, low, kept) {
      if (kept.length <= MOST) texts.set(`${high} ${low}`, kept);
    },
  };
}

/** A passage or seam of a body, with what was found in it when it was read last. */
export type Found = { readonly kept: readonly Kept[] } & (
  { readonly passage: Passage; readonly seam: null } | { readonly passage: null; readonly seam: Seam }
);

/** What to remember of the findings in one passage or seam. */
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

/**
 * The findings as if they had been made in this body. In a seam, their places follow from where the parts of the seam
 * stand.
 */
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
