/**
 * What a body comes to: it is read, and searched for whatever its job asks. What is kept from one body to the next (texts
 * and beginnings of bodies that were clean) changes no verdict.
 */
import { sensitiveDataIn } from '../src/detect/assembled.ts';
import { continued, leaksIn, secretsIn } from '../src/detect/egress.ts';
import { createKnownTexts } from '../src/detect/known/known-texts.ts';
import { createOpenings, type Opening } from '../src/detect/known/openings.ts';
import { maskBody } from '../src/detect/masks/masks.ts';
import { tellsTokens } from '../src/detect/masks/told-tokens.ts';
import type { Ruleset } from '../src/detect/ruleset.ts';
import { scan as scanPassages, type Scanned } from '../src/detect/scan.ts';
import type { JobOutcome } from '../src/domain/batch.ts';
import type { Outcome, ScanJob } from '../src/domain/job.ts';
import { isJsonLines, typeOf } from '../src/domain/json-lines.ts';
import { OPERATOR_ROLES } from '../src/domain/passage.ts';
import type { Models } from '../src/likeness/load.ts';
import { extract } from '../src/wire/index.ts';
import type { Framing } from '../src/wire/pieces.ts';
import { noTurns, type Turns } from '../src/wire/turns.ts';

export interface Detection {
  readonly ruleset: Ruleset;
  /** Not given where the statistical scanner is switched off. */
  readonly likeness?: Models;
}

const texts = createKnownTexts();
const textsOfOperator = texts.of(OPERATOR_ROLES);
const openings = createOpenings();

export function outcomeOf(detection: Detection, job: ScanJob, cancelled: () => boolean): Outcome {
  return job.maskedSignatures === undefined
    ? knowingOutcome(detection, job, cancelled)
    : maskedOutcome(detection, job, job.maskedSignatures, cancelled);
}

/** Whether all there is to tell is that nothing was found. That costs no copy between threads. */
export function isNothing(ended: JobOutcome): boolean {
  if (ended.kind !== 'report' || ended.findings.length > 0) return false;
  return ended.secrets === undefined && ended.masked === undefined && Object.keys(ended.unscannable).length === 0;
}

/**
 * If the body begins like earlier ones that were clean (a conversation that grows with each call), only the rest is
 * scanned. If anything is found in the rest, the whole body is scanned.
 */
function knowingOutcome(detection: Detection, job: ScanJob, cancelled: () => boolean): Outcome {
  const opening = openings.of(job);
  if (opening === null) return judgedOutcome(detection, job, cancelled);
  const learning = { opening, turns: noTurns() };
  if (opening.rest === null) return judgedOutcome(detection, job, cancelled, learning);
  const outcome = judgedOutcome(detection, { ...job, bytes: opening.rest }, cancelled, learning);
  if (outcome.kind === 'timeout' || (isNothing(outcome) && opening.speaks(learning.turns))) return outcome;
  return judgedOutcome(detection, job, cancelled);
}

interface Learning {
  readonly opening: Opening;
  /** Filled in while the body is read. */
  readonly turns: Turns;
}

function judgedOutcome(detection: Detection, job: ScanJob, cancelled: () => boolean, learning?: Learning): Outcome {
  const { ruleset, likeness } = detection;
  const extraction = extract(job, learning?.turns);
  const unread = extraction.kind === 'unreadable' ? extraction.reason : null;
  const read = extraction.kind === 'unreadable' ? extraction.before : extraction;
  if (read === undefined) return { kind: 'unreadable', reason: unread! };
  const { passages, assembled, unscannable } = read;
  const { direction, sensitive } = job;
  const known = learning !== undefined || job.bytes.length >= WORTH_KNOWING ? texts : textsOfOperator;
  const options = { direction, sensitive, cancelled, likeness, known };
  const scanned = scanPassages(ruleset, passages, options);
  if (scanned.kind !== 'findings') return failureOf(scanned);
  const together =
    assembled.length > 0 ? sensitiveDataIn(ruleset, assembled, { direction, sensitive, cancelled }) : NOTHING_FOUND;
  if (together.kind !== 'findings') return failureOf(together);
  const leaks =
    job.forbidden != null
      ? leaksIn(ruleset, [...passages, ...assembled, ...continued(passages)], job.forbidden, cancelled)
      : NOTHING_FOUND;
  if (leaks.kind !== 'findings') return failureOf(leaks);
  const more = together.findings.length + leaks.findings.length;
  const findings = more === 0 ? scanned.findings : [...scanned.findings, ...together.findings, ...leaks.findings];
  if (unread !== null)
    return findings.length === 0
      ? { kind: 'unreadable', reason: unread }
      : { kind: 'report', findings, unscannable, unread };
  const report: Outcome = { kind: 'report', findings, unscannable };
  if (isNothing(report)) learning?.opening.remember(learning.turns, passages);
  const secrets = job.collectSecrets === true ? secretsIn(passages) : NO_SECRETS;
  return secrets.length === 0 ? report : { ...report, secrets };
}

/**
 * From this size on, texts are looked up among those known to be clean. In a shorter body that costs as much as
 * scanning them, except for the texts of the operator (system prompt, tool definitions), which are the same in every
 * call.
 */
const WORTH_KNOWING = 4096;

const NO_SECRETS: readonly string[] = [];
const NOTHING_FOUND: Scanned = { kind: 'findings', findings: [] };

function failureOf({ kind }: Exclude<Scanned, { kind: 'findings' }>): Outcome {
  return kind === 'cancelled' ? { kind: 'timeout', phase: 'run' } : { kind: 'unreadable', reason: 'decode-budget' };
}

/** Masks the values in the body, then scans the masked body. */
function maskedOutcome(
  detection: Detection,
  job: ScanJob,
  signatures: readonly string[],
  cancelled: () => boolean,
): Outcome {
  const body = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.length);
  // Not masked: a compressed body, which would have to be compressed again, and an SSE body, which is not cut into
  // frames here.
  const plain = job.contentEncoding === '' || job.contentEncoding.toLowerCase() === 'identity';
  const framing = plain && !tellsTokens(body.toString('latin1')) ? wholeFraming(job) : null;
  const masked =
    framing === null ? null : maskBody(detection.ruleset, body, framing, signatures, job.forbidden ?? null);
  const outcome = judgedOutcome(detection, masked === null ? job : { ...job, bytes: masked.bytes }, cancelled);
  return outcome.kind === 'report' ? { ...outcome, masked } : outcome;
}

function wholeFraming({ contentType, path }: ScanJob): Framing | null {
  if (/event-stream/i.test(contentType)) return null;
  return { kind: isJsonLines(typeOf(contentType)) ? 'ndjson' : 'json', path };
}
