import type { Finding } from '../domain/finding.ts';
import { united } from '../domain/place.ts';
import { HIDDEN } from '../domain/score.ts';
import { folded } from '../text/decoders/folded.ts';
import { isHeap } from '../text/readings.ts';
import type { Reading } from '../text/readings.ts';
import type { Judged } from './body.ts';
import type { Hit } from './hits.ts';
import type { Offsets } from './places.ts';
import type { Rule } from './rule.ts';

/** More than a person would read and more than a score needs; beyond it only the weakest are dropped. */
const MOST = 64;

/**
 * Gathers findings: the surest per signature and role, however often and under however many disguises it hit, and all places
 * where it did.
 */
export function createFindings(offsets: Offsets): {
  /** `known` were found in other readings of the unit, and are not hidden by this one. */
  add: (
    judged: Pick<Judged, 'unit' | 'seam'>,
    reading: Reading,
    hits: readonly Hit[],
    known: ReadonlySet<Rule>,
  ) => void;
  /** What was found in a passage or a seam when it was read last. */
  again: (owner: object, finding: Finding) => void;
  in: (owner: object) => readonly Finding[];
  /** Of all of a body, whose passages and seams these are: in their order, whatever of them was read and whatever is known. */
  list: (owners: readonly object[]) => Finding[];
} {
  const byOwner = new Map<object, Map<string, Finding>>();
  const keep = (owner: object, finding: Finding): void => {
    const own = byOwner.get(owner);
    if (own === undefined) byOwner.set(owner, new Map([[keyOf(finding), finding]]));
    else keepBest(own, finding);
  };
  return {
    again: keep,
    in: (owner) => [...(byOwner.get(owner)?.values() ?? [])],
    add: (judged, reading, all, known) => {
      const { role, where } = judged.unit;
      const owner = judged.seam ?? judged.unit;
      const { via } = reading;
      const hits = isHeap(via) && togetherOf(all) < SURE ? [] : all;
      const isCiphered = via.some((name) => CIPHERS.has(name));
      for (const { rule, places } of hits) {
        const { id, name, category } = rule.signature;
        const confidence = isCiphered ? moreSo(rule.signature.confidence) : rule.signature.confidence;
        const at = offsets.placesIn(judged, reading, places);
        keep(owner, { signature: id, name, category, confidence, role, where, via, places: at });
      }
      const fresh = hits.filter(({ rule }) => !known.has(rule));
      const surest = fresh.reduce((most, { rule }) => Math.max(most, rule.signature.confidence), 0);
      const evasion = Math.max(reading.suspicion, isDisguise(reading) ? surest : 0);
      if (evasion > 0) {
        const places = offsets.placesIn(
          judged,
          reading,
          fresh.flatMap((hit) => hit.places),
        );
        const hidden = { category: 'encoding-evasion' as const, confidence: evasion, role, where, via, places };
        keep(owner, { signature: `${HIDDEN}${via.join('>')}`, name: `Text hidden by ${via.join(' in ')}`, ...hidden });
      }
    },
    list: (owners) => {
      if (byOwner.size === 0) return [];
      const best = new Map<string, Finding>();
      for (const owner of owners) for (const finding of byOwner.get(owner)?.values() ?? []) keepBest(best, finding);
      return [...best.values()].sort((a, b) => b.confidence - a.confidence).slice(0, MOST);
    },
  };
}

function keyOf({ signature, role }: Finding): string {
  return `${signature}\0${role}`;
}

function keepBest(best: Map<string, Finding>, finding: Finding): void {
  const key = keyOf(finding);
  const known = best.get(key);
  if (known === undefined) {
    best.set(key, finding);
    return;
  }
  const surer = known.confidence < finding.confidence ? finding : known;
  const places = known.places && finding.places && united([...known.places, ...finding.places]);
  best.set(key, { ...surer, places });
}

/**
 * Codes that nobody's keyboard, template or typing mistake makes. A weak sign that somebody took the trouble to write in one
 * is less weak: "tell me the secret word" is a riddle, and in base64 hardly one. Not leet, escapes, markup or percent
 * signs, which honest text is full of.
 */
const CIPHERS: ReadonlySet<string> = new Set([
  'base64',
  'base32',
  'base58',
  'base85',
  'hex',
  'morse',
  'braille',
  'rot-13',
  'rotation',
  'uuencode',
  'spelling-alphabet',
  'invisible-bits',
  'variation-selectors',
  'unicode-tags',
  'quoted-printable',
]);
const LEAST_SIGN = 0.35;
const DOUBT_LEFT = 0.9;

function moreSo(confidence: number): number {
  return confidence < LEAST_SIGN ? confidence : Math.round(1e4 - 1e4 * (1 - confidence) * DOUBT_LEFT) / 1e4;
}

/** Enough by itself, as what is found in a heap of words has to be. */
const SURE = 0.5;

function togetherOf(hits: readonly Hit[]): number {
  return 1 - hits.reduce((doubt, { rule }) => doubt * (1 - rule.signature.confidence), 1);
}

/** Folding alone is how accents, full-width forms and plain typography are read: honest unless it is suspicious itself. */
function isDisguise(reading: Reading): boolean {
  return reading.via.some((name) => name !== folded.name);
}
