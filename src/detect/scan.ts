import type { Finding } from '../domain/finding.ts';
import type { Direction } from '../domain/job.ts';
import type { Passage } from '../domain/passage.ts';
import type { Decoder } from '../text/decoders/decoder.ts';
import { budgetFor, hintedBy, readings } from '../text/readings.ts';
import type { Reading } from '../text/readings.ts';
import { confirmed } from './confirm.ts';
import { createFindings } from './findings.ts';
import type { Sightings } from './glance.ts';
import { standNear, stepsFor } from './near.ts';
import { closePadding, isPadded } from './padding.ts';
import type { Rule } from './rule.ts';
import type { Ruleset } from './ruleset.ts';
import { seamsOf, unitsOfSeam, unreadOf } from './seams.ts';
import type { Unit } from './seams.ts';
import { windows } from './windows.ts';

export type Scanned =
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] }
  /** More hidden text than we are ready to unfold: the sender's doing, so it is refused and never read in part. */
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'cancelled' };

export interface ScanOptions {
  readonly direction?: Direction;
  /** Whether secrets and personal data are looked for, too; in requests somebody has to ask for it. */
  readonly sensitive?: boolean;
  /** Asked between slices: a scan that nobody waits for any more gives its thread back. */
  readonly cancelled?: () => boolean;
}

/** One call into the engine reads at most this much, for it cannot be interrupted: about 0.1 ms. */
const SLICE = 64 * 1024;
const OVERLAP = 2 * 1024;

/**
 * Two stages. Everything in a body is first read as one text, once: most bodies hold neither the words of any rule nor
 * anything that could be decoded, and end here. Only otherwise is each passage unfolded into its readings and judged.
 */
export function scan(ruleset: Ruleset, passages: readonly Passage[], options: ScanOptions = {}): Scanned {
  const direction = options.direction ?? 'request';
  const cancelled = options.cancelled ?? (() => false);
  const seams = passages.length > 1 ? seamsOf(passages) : [];
  const only = seams.length === 0 && passages.length === 1 ? (passages[0] as Passage) : null;
  const whole = only?.text ?? [...passages.map(({ text }) => text), ...seams.flatMap(unreadOf)].join('\n');
  const hidden = new Set<number>();
  const bytes = Buffer.from(whole);
  for (const slice of windows(bytes, SLICE, OVERLAP)) {
    if (cancelled()) return { kind: 'cancelled' };
    for (const decoder of ruleset.shapesIn(slice)) hidden.add(decoder);
  }
  const { look } = (options.sensitive ?? true) ? ruleset.glance : ruleset.plainGlance;
  const first = look(whole, cancelled);
  if (first === null) return { kind: 'cancelled' };
  const padded = isPadded(bytes);
  const hinted = hintedBy(whole);
  const disguised = hidden.size > 0 || hinted.length > 0;
  if (first.size === 0 && !disguised && !padded) return { kind: 'findings', findings: [] };

  const inDirection = (rule: Rule): boolean => appliesTo(rule.signature.directions, direction);
  const findings = createFindings();
  const shapes = shapesOf(ruleset, only === null ? null : hidden);
  const budget = budgetFor(passages.reduce((sum, { text }) => sum + text.length, 0));
  const units: readonly Unit[] = only === null ? [...passages, ...seams.flatMap(unitsOfSeam)] : [only];
  for (const [at, unit] of units.entries()) {
    const isSeam = at >= passages.length;
    const unfolded = disguised
      ? readings(unit.text, shapes, budget, only === null ? undefined : hinted)
      : asItStands(unit);
    if (unfolded.exhausted) return { kind: 'exhausted' };
    const hitAlready = new Set<Rule>();
    // Not again about what was found already: under a disguise it would be the same finding, and asking is not free.
    const isWanted = (rule: Rule): boolean =>
      inDirection(rule) &&
      appliesTo(rule.signature.roles, unit.role) &&
      !(isSeam && isLoose(rule)) &&
      !hitAlready.has(rule);
    for (const reading of withoutPadding(unfolded.readings, padded)) {
      const isWhole = only !== null && reading.via.length === 0;
      // What was seen nowhere in the whole is in no part of it as it stands.
      if (reading.via.length === 0 && first.size === 0) continue;
      const sightings = isWhole ? first : look(reading.text, cancelled);
      if (sightings === null) return { kind: 'cancelled' };
      const hits = hitsIn(ruleset, sightings, isWanted, reading.text, cancelled);
      if (hits === null) return { kind: 'cancelled' };
      for (const rule of hits) hitAlready.add(rule);
      findings.add(unit, reading, hits);
    }
  }
  return { kind: 'findings', findings: findings.list() };
}

function appliesTo<T>(listed: readonly T[], one: T): boolean {
  return listed.length === 0 || listed.includes(one);
}

/** Digits of two passages put end to end make a card number soon enough; a token's prefix is not made by chance. */
function isLoose(rule: Rule): boolean {
  return rule.proofs.length > 0 && rule.signature.exact !== true;
}

/** Which of the rules that the first look saw are really there. Null when cancelled. */
function hitsIn(
  ruleset: Ruleset,
  sightings: Sightings,
  isWanted: (rule: Rule) => boolean,
  text: string,
  cancelled: () => boolean,
): readonly Rule[] | null {
  if (sightings.size === 0) return [];
  const wanted = [...sightings].filter(([{ rule }]) => isWanted(rule));
  if (wanted.length === 0) return [];
  const proven = wanted.filter(([{ rule }]) => rule.proofs.length > 0);
  const hits = confirmed(ruleset, proven, text, cancelled);
  if (hits === null) return null;
  const steps = stepsFor(text.length);
  const patternIn = patternsOf(ruleset, text);
  const sure = new Set<Rule>(hits);
  for (const [{ rule, what }, ranges] of wanted) {
    if (rule.proofs.length > 0 || sure.has(rule)) continue;
    if (cancelled()) return null;
    const holds = ranges.some(([from, to]) => {
      if (typeof what === 'number') return patternIn(what, from, to);
      const part = Buffer.from(text.slice(from, to));
      if (what === 'all') return rule.all.every((atom) => ruleset.find(atom, part, 0) !== null);
      return standNear(ruleset, rule, part, Math.ceil((rule.span * part.length) / Math.max(1, to - from)), steps);
    });
    if (holds) sure.add(rule);
  }
  return [...sure];
}

/** A short part is asked by itself. A long one means words all over the text: then one pass answers for all patterns at once. */
function patternsOf(ruleset: Ruleset, text: string): (atom: number, from: number, to: number) => boolean {
  let everywhere: Uint8Array | null = null;
  return (atom, from, to) => {
    if (to - from <= SHORT) return ruleset.find(atom, Buffer.from(text.slice(from, to)), 0) !== null;
    if (everywhere === null) {
      everywhere = new Uint8Array(ruleset.atoms.length);
      for (const slice of windows(Buffer.from(text), SLICE, OVERLAP)) ruleset.markPatterns(slice, everywhere);
    }
    return everywhere[atom] === 1;
  };
}

const SHORT = 4096;

/** A body of one passage has been asked already: `first` is the answer. */
function shapesOf(ruleset: Ruleset, first: ReadonlySet<number> | null): (text: string) => readonly Decoder[] {
  let known = first;
  return (text) => {
    let found = known;
    known = null;
    if (found === null) {
      const fresh = new Set<number>();
      for (const slice of windows(Buffer.from(text), SLICE, OVERLAP))
        for (const decoder of ruleset.shapesIn(slice)) fresh.add(decoder);
      found = fresh;
    }
    return found.size === 0 ? NONE : ruleset.decoders.filter((_, index) => found.has(index));
  };
}

const NONE: readonly Decoder[] = [];

function asItStands(unit: Unit): { readings: readonly Reading[]; exhausted: boolean } {
  return { readings: [{ text: unit.text, via: [], suspicion: 0 }], exhausted: false };
}

/** What was decoded may be padded as well, whatever the text around it looked like. */
function* withoutPadding(readings: readonly Reading[], padded: boolean): Generator<Reading> {
  for (const reading of readings) {
    yield reading;
    if (reading.via.length === 0 ? padded : isPadded(Buffer.from(reading.text)))
      yield { ...reading, text: closePadding(reading.text), via: [...reading.via, 'padding'] };
  }
}
