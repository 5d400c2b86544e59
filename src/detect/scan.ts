import type { Finding } from '../domain/finding.ts';
import type { Direction } from '../domain/job.ts';
import type { Passage } from '../domain/passage.ts';
import type { Models } from '../likeness/load.ts';
import type { Budget } from '../text/decoders/decoder.ts';
import { hintsIn, NO_HINTS } from '../text/asked.ts';
import type { Shapes } from '../text/asked.ts';
import { budgetFor, readings } from '../text/readings.ts';
import type { Reading } from '../text/readings.ts';
import { forgetSeen } from '../text/seen.ts';
import { bodyOf } from './body.ts';
import type { Judged } from './body.ts';
import type { KnownTexts } from './known/known-texts.ts';
import { createFindings } from './findings.ts';
import { keptOf, recalled } from './found.ts';
import type { Look } from './glance/glance.ts';
import { judgeWithoutMentions } from './spared/mentioned.ts';
import { dropOwnWords } from './spared/own-words.ts';
import { paddingOf } from './glance/padding.ts';
import { offsetsOf, UNPLACED } from './places.ts';
import { createResembling, LIKENESS, type Resembling } from './resemblance.ts';
import type { Ruleset } from './ruleset.ts';
import { seamsOf } from './seams.ts';
import type { Seam, Unit } from './seams.ts';
import type { Sightings } from './glance/sightings.ts';
import { dropSpared } from './spared/sparing.ts';
import { NO_SHAPES, shapesOfText } from './shapes.ts';
import { withoutPadding } from './glance/unpadded.ts';
import { createUnitJudge, type Judging } from './unit-judge.ts';

export type Scanned =
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] }
  /**
   * More hidden text than the budget allows to decode. The sender caused this, so the body is refused, not read in
   * part.
   */
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'cancelled' };

export interface ScanOptions {
  readonly direction?: Direction;
  /** Whether to look for secrets and personal data as well. For requests, the policy has to ask for it. */
  readonly sensitive?: boolean;
  /** The models of the statistical scanner. They judge requests only, never answers. */
  readonly likeness?: Models | undefined;
  /** The cache of texts that need not be read again. Not for proofs and measurements, which must read. */
  readonly known?: KnownTexts | undefined;
  /** The caller already knows that nothing in its only passage looks like an encoding or another disguise. */
  readonly undisguised?: boolean;
  /** Whether honest texts in the words of attacks are spared. Not in the rest of one: the whole of it has to be honest. */
  readonly spares?: boolean;
  /** Polled between slices of text, so that a scan whose caller has given up frees its thread. */
  readonly cancelled?: () => boolean;
}

/**
 * Scans the passages of one body, in two stages. First the whole body is read once, as one text. Most bodies hold
 * neither the words of any rule nor anything that could be decoded, and end here. Only otherwise is each passage
 * decoded into its readings, and each reading judged.
 */
export function scan(ruleset: Ruleset, passages: readonly Passage[], options: ScanOptions = {}): Scanned {
  const { known, direction = 'request', sensitive = true, likeness, spares = true, cancelled = never } = options;
  const seams = passages.length > 1 ? seamsOf(passages) : [];
  // The budget covers known passages too: a seam between a known and a new one is decoded, and repeats text of both.
  const budget = budgetFor(passages.reduce((sum, { text }) => sum + text.length, 0));
  const offsets = direction === 'request' ? offsetsOf(passages) : UNPLACED;
  const alike = likeness && direction === 'request' ? createResembling(likeness, offsets, cancelled) : null;
  const findings = createFindings(offsets, alike?.lackIn);
  const as = (direction === 'request' ? 0 : 1) + (sensitive ? 2 : 0);
  const sifted = known?.sift(passages, seams, as);
  const fresh = sifted ?? { passages, seams };
  if (fresh.passages.length > 0 || fresh.seams.length > 0) {
    const ended = read(ruleset, fresh, budget, options, { findings, alike });
    forgetSeen();
    if (ended !== 'read') return { kind: ended };
  }
  sifted?.remember((owner) => keptOf(owner, [...findings.in(owner), ...(alike?.in(owner) ?? [])], offsets));
  for (const found of sifted?.found ?? []) {
    const owner = found.passage ?? found.seam;
    for (const finding of recalled(found, offsets))
      (finding.signature === LIKENESS ? alike : findings)?.again(owner, finding);
  }
  const owners = sifted?.owners ?? [...passages, ...seams];
  dropOwnWords(owners, findings);
  if (direction === 'request' && spares) {
    const findingsIn = (passage: Passage): readonly Finding[] | null => {
      const again = scan(ruleset, [passage], { ...options, known: undefined, undisguised: false, spares: false });
      return again.kind === 'findings' ? again.findings : null;
    };
    dropSpared(owners, { findings, alike }, ruleset.isOperators, findingsIn);
    judgeWithoutMentions(owners, { findings, alike, offsets }, ruleset, findingsIn);
  }
  if (cancelled()) return { kind: 'cancelled' };
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
  if (first.sightings.size === 0 && !disguised) return 'read';

  const judging: Judging = { ruleset, look, direction, findings, cancelled };
  // The shapes of the passage that makes up nearly all of the body were found above, with those of the body.
  const shapes: Shapes = (text) =>
    text === main?.text ? hidden : (shapesOfText(ruleset, Buffer.from(text), cancelled) ?? NO_SHAPES);
  /** What the first look saw in a unit, with the unit's own padding. A passage has none where the body has none. */
  const asSeen = ({ unit: { text }, seam }: Judged, sightings: Sightings): Look => {
    if (sightings.size === 0 || (seam === null && first.padding === null)) return { sightings, padding: null };
    return { sightings, padding: text === whole ? first.padding : paddingOf(text) };
  };
  /** Seams in which nothing was found. Turns that say the same again and again make the same seam again and again. */
  const clean = new Set<string>();
  for (const judged of body.units(first.sightings, disguised)) {
    const { unit, seam, seen } = judged;
    const asSaid = seam === null ? '' : `${unit.role} ${unit.text}`;
    if (clean.has(asSaid)) continue;
    const unfolded = disguised
      ? readings(unit.text, shapes, budget, unit === main && hints.ofMost ? hints.hinted : undefined, cancelled)
      : asItStands(unit);
    if (cancelled()) return 'cancelled';
    if (unfolded.exhausted) return 'exhausted';
    const { judge, foundAny } = createUnitJudge(judged, unfolded.readings.length, judging);
    for (const reading of unfolded.readings) {
      if (reading.via.length > 0 && seam === null && alike?.reading(unit, reading) === false) return 'cancelled';
      // The whole body was looked at as it stands. If nothing was seen in it, nothing is in any of its parts.
      if (reading.via.length === 0 && first.sightings.size === 0) continue;
      const looked = reading.via.length === 0 && seen !== null ? asSeen(judged, seen) : look(reading.text, cancelled);
      if (looked === null) return 'cancelled';
      // Where words are driven apart by padding, the text is judged as it stands and once more with the padding
      // collapsed. Only long padding is a disguise: indentation and tables have the rest.
      const { sightings, padding } = looked;
      const closed = padding === null ? null : withoutPadding(reading.text, padding, sightings);
      if (!judge(reading, closed?.asItStands ?? sightings, reading.via.length === 0)) return 'cancelled';
      if (closed === null) continue;
      const via = closed.isLong ? [...reading.via, 'padding'] : reading.via;
      const asClosed = { ...reading, text: closed.text, via };
      if (!judge(asClosed, closed.sightings, false)) return 'cancelled';
    }
    if (seam !== null && !foundAny() && !findings.has(seam)) clean.add(asSaid);
  }
  // What was asked of the models while this was cancelled has no answer, and must not be remembered either.
  return cancelled() ? 'cancelled' : 'read';
}

function asItStands(unit: Unit): { readings: readonly Reading[]; exhausted: boolean } {
  return { readings: [{ text: unit.text, via: [], suspicion: 0 }], exhausted: false };
}
