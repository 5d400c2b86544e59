import type { Finding } from '../domain/finding.ts';
import { united } from '../domain/place.ts';
import { HIDDEN } from '../domain/score.ts';
import { folded } from '../text/decoders/folded.ts';
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
  list: () => Finding[];
} {
  const best = new Map<string, Finding>();
  const keep = (finding: Finding): void => {
    const key = `${finding.signature}\0${finding.role}`;
    const known = best.get(key);
    if (known === undefined) {
      best.set(key, finding);
      return;
    }
    const surer = known.confidence < finding.confidence ? finding : known;
    const places = known.places && finding.places && united([...known.places, ...finding.places]);
    best.set(key, { ...surer, places });
  };
  return {
    add: (judged, reading, hits, known) => {
      const { role, where } = judged.unit;
      const { via } = reading;
      const isCiphered = via.some((name) => CIPHERS.has(name));
      for (const { rule, places } of hits) {
        const { id, name, category } = rule.signature;
        const confidence = isCiphered ? moreSo(rule.signature.confidence) : rule.signature.confidence;
        const at = offsets.placesIn(judged, reading, places);
        keep({ signature: id, name, category, confidence, role, where, via, places: at });
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
        keep({ signature: `${HIDDEN}${via.join('>')}`, name: `Text hidden by ${via.join(' in ')}`, ...hidden });
      }
    },
    list: () => [...best.values()].sort((a, b) => b.confidence - a.confidence).slice(0, MOST),
  };
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

/** Folding alone is how accents, full-width forms and plain typography are read: honest unless it is suspicious itself. */
function isDisguise(reading: Reading): boolean {
  return reading.via.some((name) => name !== folded.name);
}
