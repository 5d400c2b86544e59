import { bySureness, keyOfFinding, type Finding } from '../domain/finding.ts';
import { mergePlaces } from '../domain/place.ts';
import { combinedScore, HIDDEN_PREFIX } from '../domain/score.ts';
import { folded } from '../text/decoders/folded.ts';
import { isHeap } from '../text/readings.ts';
import type { Reading } from '../text/readings.ts';
import type { Judged } from './body.ts';
import type { Hit } from './confirm/hits.ts';
import { isCipher } from './hiding.ts';
import type { Offsets } from './places.ts';
import type { Resembling } from './resemblance.ts';
import type { Rule } from './rule.ts';
import { isLearned, supported, toleratedLack } from './support.ts';

/**
 * Most findings of one role and category: more than a person would read and more than a score needs. Others do not take
 * their place: a policy may let the findings of one role, or of one category, do less than those of another.
 */
const MOST = 64;

/**
 * Collects findings. For each signature and role it keeps the one with the highest confidence, however often and under
 * however many disguises the signature matched, with all places where it did. `lackIn` tells how far a text is from
 * resembling attacks, which decides how much counts (support.ts).
 */
export function createFindings(
  offsets: Offsets,
  lackIn: Resembling['lackIn'] = nothingLacks,
): {
  /** `known` are the rules that were found in other readings of the unit: this reading does not hide them. */
  add: (
    judged: Pick<Judged, 'unit' | 'seam'>,
    reading: Reading,
    hits: readonly Hit[],
    known: ReadonlySet<Rule>,
  ) => void;
  /** Adds a finding from the last time this passage or seam was read. */
  again: (owner: object, finding: Finding) => void;
  in: (owner: object) => readonly Finding[];
  has: (owner: object) => boolean;
  /** Forgets what these signatures found in a passage or seam. */
  drop: (owner: object, signatures: ReadonlySet<string>) => void;
  /**
   * The findings of a whole body, surest first. `owners` are its passages and seams in order, just read or known from
   * before.
   */
  list: (owners: readonly object[]) => Finding[];
} {
  const byOwner = new Map<object, Map<string, Finding>>();
  const keep = (owner: object, finding: Finding): void => {
    const own = byOwner.get(owner);
    if (own === undefined) byOwner.set(owner, new Map([[keyOfFinding(finding), finding]]));
    else keepBest(own, finding);
  };
  return {
    again: keep,
    in: (owner) => [...(byOwner.get(owner)?.values() ?? [])],
    has: (owner) => byOwner.has(owner),
    drop: (owner, signatures) => {
      const own = byOwner.get(owner);
      for (const [key, { signature }] of own ?? []) if (signatures.has(signature)) own?.delete(key);
    },
    add: (judged, reading, all, known) => {
      const { role, where } = judged.unit;
      const owner = judged.seam ?? judged.unit;
      const { via } = reading;
      const hits = isHeap(via) && togetherOf(all) < SURE ? [] : all;
      const isCiphered = via.some(isCipher);
      // What was hidden or split has no sentences of its own.
      const hasSentences = judged.seam === null && via.every((name) => name === folded.name);
      for (const { rule, places, standing } of hits) {
        const { id, name, category } = rule.signature;
        const certain = hasSentences ? asStanding(rule.signature, standing) : rule.signature.confidence;
        const tolerated = isCiphered ? Infinity : toleratedLack(rule.signature, role, via);
        const lacking = tolerated === Infinity ? 0 : lackIn(judged.unit, reading) - tolerated;
        const confidence = isCiphered ? moreSo(certain) : supported(certain, lacking);
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
        keep(owner, {
          signature: `${HIDDEN_PREFIX}${via.join('>')}`,
          name: `Text hidden by ${via.join(' in ')}`,
          ...hidden,
        });
      }
    },
    list: (owners) => {
      if (byOwner.size === 0) return [];
      const best = new Map<string, Finding>();
      for (const owner of owners) for (const finding of byOwner.get(owner)?.values() ?? []) keepBest(best, finding);
      return best.size <= MOST ? [...best.values()].sort(bySureness) : mostTelling([...best.values()]);
    },
  };
}

/** The findings without those of which their role and category has too many. */
function mostTelling(findings: Finding[]): Finding[] {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings.sort(bySureness)) {
    const name = `${finding.role} ${finding.category}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [finding]);
    else group.push(finding);
  }
  return [...groups.values()]
    .flatMap((group) => {
      if (group.length <= MOST) return group;
      // What counts together comes first: surer findings that stand far apart from each other do not count as much.
      return [...new Set([...combinedScore(group).counted.slice(0, MOST), ...group])].slice(0, MOST);
    })
    .sort(bySureness);
}

function keepBest(best: Map<string, Finding>, finding: Finding): void {
  const key = keyOfFinding(finding);
  const known = best.get(key);
  if (known === undefined) {
    best.set(key, finding);
    return;
  }
  const surer = known.confidence < finding.confidence ? finding : known;
  const places = known.places && finding.places && mergePlaces([...known.places, ...finding.places]);
  best.set(key, { ...surer, places });
}

const nothingLacks = (): number => 0;

/**
 * What says a third as much in two sentences as in one. Those are the demands to drop what was said, which any instruction
 * holds the words of; most attacks are told in several sentences, a claim and a demand. Of languages that the models have
 * not learned, a signature is all that there is, and counts in full. Between the labels of a catalog it says a tenth: a catalog
 * has the words of many demands.
 */
function asStanding({ confidence, language }: Rule['signature'], standing: Hit['standing']): number {
  if (standing === 'together' || language === undefined || !isLearned(language)) return confidence;
  return Math.round(1e4 - 1e4 * (1 - confidence) ** (standing === 'apart' ? 1 / 3 : 1 / 10)) / 1e4;
}

const LEAST_SIGN = 0.35;
const DOUBT_LEFT = 0.9;

/**
 * The confidence of a signal found under a cipher: a tenth of the doubt is removed. The weakest signals stay as they
 * are.
 */
function moreSo(confidence: number): number {
  return confidence < LEAST_SIGN ? confidence : Math.round(1e4 - 1e4 * (1 - confidence) * DOUBT_LEFT) / 1e4;
}

/**
 * Confidence that is enough by itself. What is found in a heap of words (put together from many places) needs that
 * much.
 */
const SURE = 0.5;

/** Combined confidence: 1 - Π(1 - c). */
function togetherOf(hits: readonly Hit[]): number {
  return 1 - hits.reduce((doubt, { rule }) => doubt * (1 - rule.signature.confidence), 1);
}

/**
 * Whether the reading undoes a disguise. Folding alone does not count: it is how accents, full-width forms and plain
 * typography are read, and honest unless the fold is suspicious itself.
 */
function isDisguise(reading: Reading): boolean {
  return reading.via.some((name) => name !== folded.name);
}
