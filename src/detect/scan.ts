import type { Finding } from '../domain/finding.ts';
import type { Direction } from '../domain/job.ts';
import type { Passage } from '../domain/passage.ts';
import { STRETCH } from '../domain/place.ts';
import type { Models } from '../likeness/load.ts';
import type { Budget } from '../text/decoders/decoder.ts';
import { hintsIn, NO_HINTS } from '../text/asked.ts';
import type { Shapes } from '../text/asked.ts';
import { budgetFor, readings } from '../text/readings.ts';
import type { Reading } from '../text/readings.ts';
import { bodyOf } from './body.ts';
import type { KnownTexts } from './known-texts.ts';
import { nothingDenied } from './denied.ts';
import { createFindings } from './findings.ts';
import { keptOf, recalled } from './found.ts';
import type { Sightings } from './glance.ts';
import { hitsIn } from './hits.ts';
import { withoutPadding } from './padding.ts';
import { isInPlace, offsetsOf, UNPLACED } from './places.ts';
import { createResembling, LIKENESS, type Resembling } from './resemblance.ts';
import type { Rule } from './rule.ts';
import type { Ruleset } from './ruleset.ts';
import { seamsOf } from './seams.ts';
import type { Seam, Unit } from './seams.ts';
import { NO_SHAPES, shapesOfText } from './shapes.ts';

export type Scanned =
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] }
  /** More hidden text than we are ready to unfold: the sender's doing, so it is refused and never read in part. */
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'cancelled' };

export interface ScanOptions {
  readonly direction?: Direction;
  /** Whether secrets and personal data are looked for, too; in requests somebody has to ask for it. */
  readonly sensitive?: boolean;
  /** The statistical scanner, which judges what was sent and not what was answered. */
  readonly likeness?: Models | undefined;
  /** What was read lately is not read again. Not for proofs and measurements, which must read. */
  readonly known?: KnownTexts | undefined;
  /** Who asks knows already that nothing in the one passage looks like a disguise. */
  readonly undisguised?: boolean;
  /** Asked between slices: a scan that nobody waits for any more gives its thread back. */
  readonly cancelled?: () => boolean;
}

/**
 * Two stages. Everything in a body is first read as one text, once: most bodies hold neither the words of any rule nor
 * anything that could be decoded, and end here. Only otherwise is each passage unfolded into its readings and judged.
 */
export function scan(ruleset: Ruleset, passages: readonly Passage[], options: ScanOptions = {}): Scanned {
  const { known, direction = 'request', sensitive = true, likeness, cancelled = never } = options;
  const seams = passages.length > 1 ? seamsOf(passages) : [];
  // Of all of it, whatever is known: where a message meets what it met before, both are unfolded once more.
  const budget = budgetFor(passages.reduce((sum, { text }) => sum + text.length, 0));
  const offsets = direction === 'request' ? offsetsOf(passages) : UNPLACED;
  const findings = createFindings(offsets);
  const alike = likeness && direction === 'request' ? createResembling(likeness, offsets, cancelled) : null;
  const as = (direction === 'request' ? 0 : 1) + (sensitive ? 2 : 0);
  const sifted = known?.sift(passages, seams, as);
  const fresh = sifted ?? { passages, seams };
  if (fresh.passages.length > 0 || fresh.seams.length > 0) {
    const ended = read(ruleset, fresh, budget, options, { findings, alike });
    if (ended !== 'read') return { kind: ended };
  }
  sifted?.remember((owner) => keptOf(owner, [...findings.in(owner), ...(alike?.in(owner) ?? [])], offsets));
  for (const found of sifted?.found ?? []) {
    const owner = found.passage ?? found.seam;
    for (const finding of recalled(found, offsets))
      (finding.signature === LIKENESS ? alike : findings)?.again(owner, finding);
  }
  const owners = sifted?.owners ?? [...passages, ...seams];
  const found = findings.list(owners);
  return { kind: 'findings', findings: alike?.beside(found, owners) ?? found };
}

const never = (): boolean => false;

interface Into {
  readonly findings: ReturnType<typeof createFindings>;
  readonly alike: Resembling | null;
}

function read(
  ruleset: Ruleset,
  { passages, seams }: { readonly passages: readonly Passage[]; readonly seams: readonly Seam[] },
  budget: Budget,
  { direction = 'request', sensitive = true, cancelled = never, undisguised = false }: ScanOptions,
  { findings, alike }: Into,
): 'read' | 'exhausted' | 'cancelled' {
  const body = bodyOf(passages, seams);
  const { text: whole, main } = body;
  const bytes = Buffer.from(whole);
  const hidden = undisguised ? NO_SHAPES : shapesOfText(ruleset, bytes, cancelled);
  if (hidden === null) return 'cancelled';
  const hints = undisguised ? NO_HINTS : hintsIn(whole, body.parts);
  const { look } = sensitive ? ruleset.glance : ruleset.plainGlance;
  const first = look(whole, cancelled);
  if (first === null) return 'cancelled';
  const disguised = hidden.length > 0 || hints.any;
  if (alike?.passages(passages, bytes) === false) return 'cancelled';
  if (first.size === 0 && !disguised) return 'read';

  const inDirection = (rule: Rule): boolean => appliesTo(rule.signature.directions, direction);
  // Of the passage that is nearly all of the body it has been asked already.
  const shapes: Shapes = (text) =>
    text === main?.text ? hidden : (shapesOfText(ruleset, Buffer.from(text), cancelled) ?? NO_SHAPES);
  for (const judged of body.units(first, disguised)) {
    const { unit, seam, seen } = judged;
    const unfolded = disguised
      ? readings(unit.text, shapes, budget, unit === main && hints.ofMost ? hints.hinted : undefined, cancelled)
      : asItStands(unit);
    if (cancelled()) return 'cancelled';
    if (unfolded.exhausted) return 'exhausted';
    const hitAlready = new Set<Rule>();
    // Not again about what was found already: under a disguise it would be the same finding, and asking is not free. But in a
    // long text a weak sign is asked about once more where its words may stand elsewhere, near others.
    let isElsewhere = false;
    const isWanted = (rule: Rule): boolean =>
      inDirection(rule) &&
      appliesTo(rule.signature.roles, unit.role) &&
      !(seam !== null && isLoose(rule)) &&
      (!hitAlready.has(rule) || (isElsewhere && rule.signature.confidence < ENOUGH));
    let denied = unfolded.readings.length > 1 ? nothingDenied() : null;
    const judge = (reading: Reading, sightings: Sightings): boolean => {
      isElsewhere = unit.text.length > STRETCH && reading.via.length > 0 && isInPlace(reading.via);
      const hits = hitsIn(ruleset, sightings, isWanted, reading.text, cancelled, denied);
      if (hits === null) return false;
      findings.add(judged, reading, hits, hitAlready);
      for (const { rule } of hits) hitAlready.add(rule);
      return true;
    };
    for (const reading of unfolded.readings) {
      if (reading.via.length > 0 && seam === null && alike?.reading(unit, reading) === false) return 'cancelled';
      // What was seen nowhere in the whole is in no part of it as it stands.
      if (reading.via.length === 0 && first.size === 0) continue;
      const sightings = (reading.via.length === 0 ? seen : null) ?? look(reading.text, cancelled);
      if (sightings === null) return 'cancelled';
      const closed = sightings.size === 0 ? null : withoutPadding(reading.text, sightings);
      if (closed !== null) denied ??= nothingDenied();
      if (!judge(reading, closed?.asItStands ?? sightings)) return 'cancelled';
      if (closed === null) continue;
      const asClosed = { ...reading, text: closed.text, via: [...reading.via, 'padding'] };
      if (!judge(asClosed, closed.sightings)) return 'cancelled';
    }
  }
  return 'read';
}

function appliesTo<T>(listed: readonly T[], one: T): boolean {
  return listed.length === 0 || listed.includes(one);
}

/** A sign of its own: what stands near it makes no difference at the default sensitivity. */
const ENOUGH = 0.5;

/** Digits of two passages put end to end make a card number soon enough; a token's prefix is not made by chance. */
function isLoose(rule: Rule): boolean {
  return rule.isProven && rule.signature.exact !== true;
}

function asItStands(unit: Unit): { readings: readonly Reading[]; exhausted: boolean } {
  return { readings: [{ text: unit.text, via: [], suspicion: 0 }], exhausted: false };
}
