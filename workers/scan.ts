/**
 * A scanning thread. It compiles the ruleset once and then only handles tasks. Every task is synchronous, and what is
 * kept from one to the next (texts that were clean, engines, memory in use) changes no verdict. Which task of a batch a
 * crash is due to is not known here. A ruleset that does not compile throws nothing, since a thread that dies while it
 * starts would take the pool with it: `ready` reports it, and the thread is given no work.
 */
import { MessageChannel, parentPort, threadId, workerData } from 'node:worker_threads';
import { sensitiveDataIn } from '../src/detect/assembled.ts';
import { createKnownTexts } from '../src/detect/known/known-texts.ts';
import { continued, leaksIn, secretsIn } from '../src/detect/egress.ts';
import { collect } from '../src/detect/engine/engines.ts';
import { knownAtBuild } from '../src/detect/patterns/known-at-build.ts';
import { maskBody } from '../src/detect/masks/masks.ts';
import { watchMemory } from '../src/detect/memory-watch.ts';
import { createOpenings, type Opening } from '../src/detect/known/openings.ts';
import { prove as proveRuleset, proveBeside } from '../src/detect/prove/prove.ts';
import { compile, type Ruleset } from '../src/detect/ruleset.ts';
import { scan as scanPassages, type Scanned } from '../src/detect/scan.ts';
import { scanStream } from '../src/detect/stream/stream.ts';
import type { BatchOutcomes, Batch, Job, JobOutcome, JobKind } from '../src/domain/batch.ts';
import type { CheckOutcome } from '../src/domain/check.ts';
import type { Failure } from '../src/domain/failure.ts';
import type { Outcome, ScanJob, UnreadableReason } from '../src/domain/job.ts';
import { isJsonLines, typeOf } from '../src/domain/json-lines.ts';
import { isMemoryShort, LARGE_BYTES } from '../src/domain/memory.ts';
import { OPERATOR_ROLES } from '../src/domain/passage.ts';
import type { ProofTask } from '../src/domain/proof.ts';
import type { Problem } from '../src/domain/problem.ts';
import type { Matcher } from '../src/domain/signature.ts';
import type { StreamJob, StreamOutcome } from '../src/domain/stream.ts';
import { loadLikeness, type Models } from '../src/likeness/load.ts';
import { countScan, enterSlot, isCancelled, leaveSlot } from '../src/scanner/control.ts';
import { faultFor, type Faults } from '../src/scanner/faults.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import { readCheck } from '../src/wire/check-body.ts';
import { unpackedBody } from '../src/wire/content-encoding.ts';
import { extract } from '../src/wire/index.ts';
import type { Framing } from '../src/wire/pieces.ts';
import { noTurns, type Turns } from '../src/wire/turns.ts';

interface Given {
  readonly signatures: readonly Matcher[];
  /** Layout in src/scanner/control.ts. */
  readonly control: Int32Array;
  /** Whether the statistical scanner runs; a string is a folder with other weights for it. */
  readonly likeness: boolean | string;
  readonly faults?: Faults;
}

interface Task<Job = ScanJob> {
  readonly job: Job;
  /** The slot of this task in the shared control block. */
  readonly slot: number;
}

const given = workerData as Given;
const { control } = given;
const fault = given.faults === undefined ? null : faultFor(given.faults, () => countScan(control));
let compiled = start();
// Frees the garbage of reading and compiling. V8 would not collect it by itself.
collect();
const texts = createKnownTexts();
const textsOfOperator = texts.of(OPERATOR_ROLES);
const openings = createOpenings();

interface Compiled {
  readonly ruleset: Ruleset | null;
  readonly likeness?: Models;
  readonly problems: readonly Problem[];
}

function start(): Compiled {
  try {
    fault?.('start');
    const made = compile(given.signatures, DECODERS, knownAtBuild() ?? undefined);
    if (!('ruleset' in made)) return { ruleset: null, problems: made.problems };
    if (given.likeness === false) return { ruleset: made.ruleset, problems: [] };
    const loaded = given.likeness === true ? loadLikeness() : loadLikeness(given.likeness);
    if ('problem' in loaded) return { ruleset: null, problems: [loaded.problem] };
    return { ruleset: made.ruleset, likeness: loaded.likeness, problems: [] };
  } catch (error) {
    const message = `the engine does not start: ${error instanceof Error ? error.message : 'unknown'}`;
    return { ruleset: null, problems: [{ file: 'signatures', line: 1, column: 1, path: '', message }] };
  }
}

export function ready(): { readonly count: number; readonly problems: readonly Problem[] } {
  const { ruleset, problems } = compiled;
  return { count: ruleset?.count ?? 0, problems };
}

/**
 * Checks signatures against their examples. This is slow compared to a scan, and done once before a ruleset is used.
 */
export function prove({ toProve, unproven, toRecheck }: ProofTask): readonly Problem[] {
  const { ruleset, problems } = compiled;
  if (ruleset === null) return problems;
  const proven = proveRuleset(ruleset, toProve);
  if (toRecheck.length === 0) return proven;
  const beside = compile(unproven, DECODERS);
  return 'ruleset' in beside ? [...proven, ...proveBeside(ruleset, beside.ruleset, toRecheck)] : beside.problems;
}

/**
 * Called before the thread ends. V8 does not run the finalizers that free the engine's native memory when it tears a
 * thread down, so each reload of signatures would leak it. Later tasks are answered with `not-ready`.
 */
export function leave(): void {
  compiled = { ruleset: null, problems: [] };
  collect();
}

function scan(task: Task): Outcome {
  return inSlot(task, outcomeOf);
}

function check(task: Task): CheckOutcome | Outcome {
  return inSlot<ScanJob, CheckOutcome | Outcome>(task, (asked, cancelled) => {
    const body = readCheck(asked);
    if (body.kind !== 'jobs') return body;
    return { kind: 'checked', isList: body.isList, outcomes: body.jobs.map((job) => outcomeOf(job, cancelled)) };
  });
}

function stream(task: Task<StreamJob>): StreamOutcome {
  const { ruleset } = compiled;
  if (ruleset === null) return { kind: 'error', reason: 'not-ready' };
  return inSlot<StreamJob, StreamOutcome>(task, (job, cancelled) => scanStream(ruleset, job, cancelled));
}

const KINDS = { scan, check, stream } satisfies Record<JobKind, (task: never) => JobOutcome>;

/** Enough for a usual batch. The main thread replaces the mailbox by a larger one when needed. */
const MAILBOX_BYTES = 65_536;
let mailbox: Uint8Array = new Uint8Array(new SharedArrayBuffer(MAILBOX_BYTES));

/** Handles a batch. The jobs are independent: each has its own slot, deadline and outcome. */
function work({ entries, mailbox: wider }: Batch): BatchOutcomes {
  if (wider !== undefined) mailbox = wider;
  return entries.map(({ kind, job, from, to, slot }) => {
    // Cancelled: the result is no longer wanted, or the task was given to another thread.
    if (isCancelled(control, slot)) return { kind: 'timeout', phase: 'queue' };
    const ended = KINDS[kind]({ job: { ...job, bytes: mailbox.subarray(from, to) }, slot } as never);
    return isNothing(ended) ? null : ended;
  });
}

/** Scans do not come through piscina, but through a message port of our own: see src/scanner/thread-ports.ts. */
function openPort(): void {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (batch: Batch) => {
    port1.postMessage(work(batch));
    compiled.ruleset?.engines.settle();
  });
  parentPort?.postMessage({ port: port2, mailbox }, [port2]);
}

/** Whether all there is to tell is that nothing was found. That costs no copy between threads. */
function isNothing(ended: JobOutcome): boolean {
  if (ended.kind !== 'report' || ended.findings.length > 0) return false;
  return ended.secrets === undefined && ended.masked === undefined && Object.keys(ended.unscannable).length === 0;
}

/** `work` is given the job with its body unpacked. */
function inSlot<Given extends Job, T>(
  { job: sent, slot }: Task<Given>,
  work: (job: Given, cancelled: () => boolean) => T,
): T | Failure {
  enterSlot(control, slot, threadId);
  const startedAt = performance.now();
  let isLarge = false;
  try {
    fault?.('scan');
    const job = unpacked(sent);
    if (typeof job === 'string') return { kind: 'unreadable', reason: job };
    isLarge = job.bytes.length >= LARGE_BYTES;
    const isOutOfMemory = isLarge ? watchMemory(job.bytes.length, giveUp) : never;
    let outOfMemory = isOutOfMemory();
    if (outOfMemory) return OUT_OF_MEMORY;
    const outcome = work(job, () => {
      outOfMemory ||= isOutOfMemory();
      return isCancelled(control, slot) || outOfMemory;
    });
    return outOfMemory ? OUT_OF_MEMORY : outcome;
  } catch (error) {
    // Stack overflow or maximum string length, which only a text made for that purpose causes. The sender chose the
    // text, so it must not pass in any failure mode.
    if (error instanceof RangeError) return { kind: 'unreadable', reason: 'decode-budget' };
    // RE2 out of memory, or a bug in guard. It must never count as "nothing found".
    return { kind: 'error', reason: 'engine' };
  } finally {
    // Not left to the collector, which does not know how little there is for the next one.
    if (isLarge && isMemoryShort()) giveUp();
    leaveSlot(control, slot, performance.now() - startedAt);
  }
}

/** How much memory a scan takes goes by what is read, so the body is unpacked before anything else. */
function unpacked<Given extends Job>(job: Given): Given | UnreadableReason {
  if (!('contentEncoding' in job) || job.contentEncoding === '') return job;
  const bytes = unpackedBody(job);
  return typeof bytes === 'string' ? bytes : { ...job, bytes };
}

const OUT_OF_MEMORY: Failure = { kind: 'unreadable', reason: 'scan-memory' };

function never(): boolean {
  return false;
}

function giveUp(): void {
  if (compiled.ruleset === null) collect();
  else compiled.ruleset.engines.forget();
}

function outcomeOf(job: ScanJob, cancelled: () => boolean): Outcome {
  const { ruleset } = compiled;
  if (ruleset === null) return { kind: 'error', reason: 'not-ready' };
  return job.maskedSignatures === undefined
    ? knowingOutcome(ruleset, job, cancelled)
    : maskedOutcome(ruleset, job, job.maskedSignatures, cancelled);
}

/**
 * If the body begins like earlier ones that were clean (a conversation that grows with each call), only the rest is
 * scanned. If anything is found in the rest, the whole body is scanned.
 */
function knowingOutcome(ruleset: Ruleset, job: ScanJob, cancelled: () => boolean): Outcome {
  const opening = openings.of(job);
  if (opening === null) return judgedOutcome(ruleset, job, cancelled);
  const learning = { opening, turns: noTurns() };
  if (opening.rest === null) return judgedOutcome(ruleset, job, cancelled, learning);
  const outcome = judgedOutcome(ruleset, { ...job, bytes: opening.rest }, cancelled, learning);
  if (outcome.kind === 'timeout' || (isNothing(outcome) && opening.speaks(learning.turns))) return outcome;
  return judgedOutcome(ruleset, job, cancelled);
}

interface Learning {
  readonly opening: Opening;
  /** Filled in while the body is read. */
  readonly turns: Turns;
}

function judgedOutcome(ruleset: Ruleset, job: ScanJob, cancelled: () => boolean, learning?: Learning): Outcome {
  const extraction = extract(job, learning?.turns);
  if (extraction.kind === 'unreadable') return extraction;
  const { passages, assembled, unscannable } = extraction;
  const { likeness } = compiled;
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
  ruleset: Ruleset,
  job: ScanJob,
  signatures: readonly string[],
  cancelled: () => boolean,
): Outcome {
  const body = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.length);
  // Not masked: a compressed body, which would have to be compressed again, and an SSE body, which is not cut into
  // frames here.
  const plain = job.contentEncoding === '' || job.contentEncoding.toLowerCase() === 'identity';
  const framing = plain ? wholeFraming(job) : null;
  const masked = framing === null ? null : maskBody(ruleset, body, framing, signatures, job.forbidden ?? null);
  const outcome = judgedOutcome(ruleset, masked === null ? job : { ...job, bytes: masked.bytes }, cancelled);
  return outcome.kind === 'report' ? { ...outcome, masked } : outcome;
}

function wholeFraming({ contentType, path }: ScanJob): Framing | null {
  if (/event-stream/i.test(contentType)) return null;
  return { kind: isJsonLines(typeOf(contentType)) ? 'ndjson' : 'json', path };
}

// A thread without a ruleset would answer faster than all others, and would so be given all work.
if (compiled.ruleset !== null) openPort();
