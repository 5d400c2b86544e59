/**
 * A scanning thread. It compiles the ruleset once and then only handles tasks. Every task is synchronous. Which task of a
 * batch a crash is due to is not known here. A ruleset that does not compile throws nothing, since a thread that dies
 * while it starts would take the pool with it: `ready` reports it, and the thread is given no work.
 */
import { MessageChannel, parentPort, threadId, workerData } from 'node:worker_threads';
import { collect } from '../src/detect/engine/engines.ts';
import { knownAtBuild } from '../src/detect/patterns/known-at-build.ts';
import { prove as proveRuleset, proveBeside } from '../src/detect/prove/prove.ts';
import { compile } from '../src/detect/ruleset.ts';
import { scanStream } from '../src/detect/stream/stream.ts';
import type { BatchEntry, BatchOutcomes, Batch, JobOutcome, JobKind } from '../src/domain/batch.ts';
import type { CheckOutcome } from '../src/domain/check.ts';
import type { Failure } from '../src/domain/failure.ts';
import type { Outcome, ScanJob } from '../src/domain/job.ts';
import type { ProofTask } from '../src/domain/proof.ts';
import type { Problem } from '../src/domain/problem.ts';
import type { Matcher } from '../src/domain/signature.ts';
import type { StreamJob, StreamOutcome } from '../src/domain/stream.ts';
import { loadLikeness } from '../src/likeness/load.ts';
import { countScan, isCancelled } from '../src/scanner/control.ts';
import { faultFor, type Faults } from '../src/scanner/faults.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import { readCheck } from '../src/wire/check-body.ts';
import { isNothing, outcomeOf, type Detection } from './body-outcome.ts';
import { tellCosts } from './costs.ts';
import { inSlot, type Task, type Thread } from './slot.ts';

interface Given {
  readonly signatures: readonly Matcher[];
  /** Layout in src/scanner/control.ts. */
  readonly control: Int32Array;
  /** Whether the statistical scanner runs; a string is a folder with other weights for it. */
  readonly likeness: boolean | string;
  readonly faults?: Faults;
  /** Given to a thread that does nothing but to measure what the signatures of these ids cost. */
  readonly costsOf?: readonly string[];
}

const given = workerData as Given;
const { control } = given;
const fault = given.faults === undefined ? null : faultFor(given.faults, () => countScan(control));
const thread: Thread = { id: threadId, control, fail: fault === null ? null : () => fault('scan'), made, giveUp };
let compiled = start();
// Frees the garbage of reading and compiling. V8 would not collect it by itself.
collect();

interface Compiled {
  /** `null` where there are problems, and once the thread is about to end. */
  readonly detection: Detection | null;
  readonly problems: readonly Problem[];
}

function start(): Compiled {
  try {
    fault?.('start');
    const made = compile(given.signatures, DECODERS, knownAtBuild() ?? undefined);
    if (!('ruleset' in made)) return { detection: null, problems: made.problems };
    if (given.likeness === false) return { detection: { ruleset: made.ruleset }, problems: [] };
    const loaded = given.likeness === true ? loadLikeness() : loadLikeness(given.likeness);
    if ('problem' in loaded) return { detection: null, problems: [loaded.problem] };
    return { detection: { ruleset: made.ruleset, likeness: loaded.likeness }, problems: [] };
  } catch (error) {
    const message = `the engine does not start: ${error instanceof Error ? error.message : 'unknown'}`;
    return { detection: null, problems: [{ file: 'signatures', line: 1, column: 1, path: '', message }] };
  }
}

export function ready(): { readonly count: number; readonly problems: readonly Problem[] } {
  const { detection, problems } = compiled;
  return { count: detection?.ruleset.count ?? 0, problems };
}

/**
 * Checks signatures against their examples. This is slow compared to a scan, and done once before a ruleset is used.
 */
export function prove({ toProve, unproven, toRecheck }: ProofTask): readonly Problem[] {
  const { detection, problems } = compiled;
  if (detection === null) return problems;
  const { ruleset } = detection;
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
  compiled = { detection: null, problems: [] };
  collect();
}

function made(): number {
  return compiled.detection?.ruleset.engines.made() ?? 0;
}

function giveUp(): void {
  if (compiled.detection === null) collect();
  else compiled.detection.ruleset.engines.forget();
}

const NOT_READY: Failure = { kind: 'error', reason: 'not-ready' };

function scan(task: Task<ScanJob>): Outcome {
  const { detection } = compiled;
  if (detection === null) return NOT_READY;
  return inSlot(thread, task, (job, cancelled) => outcomeOf(detection, job, cancelled));
}

function check(task: Task<ScanJob>): CheckOutcome | Outcome {
  const { detection } = compiled;
  if (detection === null) return NOT_READY;
  return inSlot<ScanJob, CheckOutcome | Outcome>(thread, task, (asked, cancelled) => {
    const body = readCheck(asked);
    if (body.kind !== 'jobs') return body;
    return {
      kind: 'checked',
      isList: body.isList,
      outcomes: body.jobs.map((job) => outcomeOf(detection, job, cancelled)),
    };
  });
}

function stream(task: Task<StreamJob>): StreamOutcome {
  const { detection } = compiled;
  if (detection === null) return NOT_READY;
  return inSlot<StreamJob, StreamOutcome>(thread, task, (job, cancelled) =>
    scanStream(detection.ruleset, job, cancelled),
  );
}

const KINDS = { scan, check, stream } satisfies Record<JobKind, (task: never) => JobOutcome>;

/** Enough for a usual batch. The main thread replaces the mailbox by a larger one when needed. */
const MAILBOX_BYTES = 65_536;
let mailbox: Uint8Array = new Uint8Array(new SharedArrayBuffer(MAILBOX_BYTES));

/** So long an outcome may wait for those of the jobs behind it. To tell them costs as much as to scan a short body. */
const TELL_AFTER_MS = 4;

/** Handles a batch. The jobs are independent: each has its own slot, deadline and outcome. */
function work({ entries, mailbox: wider }: Batch, tell: (outcomes: BatchOutcomes) => void): void {
  if (wider !== undefined) mailbox = wider;
  let outcomes: (JobOutcome | null)[] = [];
  let toldAt = performance.now();
  for (const entry of entries) {
    const now = performance.now();
    if (now - toldAt > TELL_AFTER_MS && outcomes.length > 0) {
      tell(outcomes);
      outcomes = [];
      toldAt = now;
    }
    outcomes.push(outcomeOfEntry(entry));
  }
  tell(outcomes);
}

function outcomeOfEntry({ kind, job, from, to, slot }: BatchEntry): JobOutcome | null {
  // Cancelled: the result is no longer wanted, or the task was given to another thread.
  if (isCancelled(control, slot)) return { kind: 'timeout', phase: 'queue' };
  const ended = KINDS[kind]({ job: { ...job, bytes: mailbox.subarray(from, to) }, slot } as never);
  return isNothing(ended) ? null : ended;
}

/** Scans do not come through piscina, but through a message port of our own: see src/scanner/thread-ports.ts. */
function openPort(): void {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (batch: Batch) => {
    work(batch, (outcomes) => port1.postMessage(outcomes));
    compiled.detection?.ruleset.engines.settle();
  });
  parentPort?.postMessage({ port: port2, mailbox }, [port2]);
}

if (given.costsOf !== undefined) {
  if (compiled.detection === null) throw new Error('these signatures do not compile');
  tellCosts(compiled.detection.ruleset, given.costsOf, (costs) => parentPort?.postMessage(costs));
  // A thread without a ruleset would answer faster than all others, and would so be given all work.
} else if (compiled.detection !== null) openPort();
