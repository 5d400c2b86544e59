import type { Finding } from '../../domain/finding.ts';
import type { Forbidden } from '../../domain/job.ts';
import { endsReading, FRESH, type StreamJob, type StreamOutcome, type StreamState } from '../../domain/stream.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { createBeat } from './beat.ts';
import { createFramer } from './frames.ts';
import type { StreamKind } from './in-band.ts';
import { createOutbox } from './outbox.ts';

/**
 * A stream on its way through the scanner. Frames come in, are judged in steps - one at a time, each taking all that came
 * meanwhile - and go out as they came. The three modes differ in one thing: how long a frame waits.
 */

export type Mode = 'passthrough' | 'buffered' | 'full';

export interface StreamSettings {
  readonly kind: StreamKind;
  readonly mode: Mode;
  readonly path: string;
  /** `buffered`: characters of model text before the first frame goes out. */
  readonly bufferChars: number;
  readonly maxBytes: number;
  readonly mask: boolean;
  readonly forbidden: Forbidden | null;
}

export interface StreamScan {
  step(job: StreamJob): Promise<StreamOutcome>;
  /** The refusal, or null when the findings may pass. Called once for each finding. */
  judge(findings: readonly Finding[]): Refusal | null;
  /** Whether what this finding is about is replaced. Called once for each finding that could be. */
  masks(finding: Finding): boolean;
  /** A step failed by our own fault: the refusal, or null when the stream goes on unscanned. */
  failed(outcome: Exclude<StreamOutcome, { kind: 'step' }>): Refusal | null;
  tooLarge(): Refusal;
}

export interface StreamSink {
  /** False when the client does not keep up. */
  write(bytes: Buffer): boolean;
  end(): void;
  /** Nothing more of the upstream's goes out: a real status when nothing went yet, else a frame in the stream. */
  refuse(refusal: Refusal): void;
  /** The upstream should wait, or may go on. */
  pause(): void;
  resume(): void;
}

export interface ScannedStream {
  push(chunk: Buffer): void;
  /** The upstream has said all. */
  end(): void;
  /** The client keeps up again. */
  drained(): void;
  /** Whether something waits that the client could wonder about. */
  holding(): boolean;
  /** Nobody wants the rest. */
  stop(): void;
}

/**
 * How long frames gather before a step takes them. A step costs what many frames do, and a model says a word every 20 ms: so
 * `buffered` waits for a handful of them, which is how often a page is painted anew. What passes at once waits for nobody: there
 * the first words are judged soon, and the rest once a second. What is held to its end needs no verdict before it.
 */
const GATHER_MS = { passthrough: 1000, buffered: 80, full: null } as const satisfies Record<Mode, number | null>;
const FIRST_MS = 200;
const beat = createBeat(25);
/** Of a fast stream fewer words wait than would gather in that time. */
const GATHER_FRAMES = { passthrough: Infinity, buffered: 12, full: Infinity } as const satisfies Record<Mode, number>;
const GATHER_BYTES = 32_768;
/** More than this waiting for a verdict stops the upstream, not our memory. */
const MAX_WAITING_BYTES = 1_048_576;
/** Batches come with an ending in each of their lines. */
const MOST_ENDINGS = 64;
/** A frame longer than this is no frame. */
const MAX_FRAME_BYTES = 8_388_608;

export function createScannedStream(settings: StreamSettings, scan: StreamScan, sink: StreamSink): ScannedStream {
  const framer = createFramer(settings.kind);
  const holds = settings.mode !== 'passthrough';
  const gatherMs = GATHER_MS[settings.mode];
  const outbox = createOutbox();
  /** Frames that no step has taken yet; the first of them is number `taken`. */
  let unjudged: Buffer[] = [];
  let unjudgedBytes = 0;
  let taken = 0;
  /** Frames before this number were judged; those before `cleared` can no longer become part of a match. */
  let judged = 0;
  let cleared = 0;
  let terminators: number[] = [];
  let state: StreamState = FRESH;
  /** Signatures whose matches are replaced. */
  const masking = new Set<string>();
  let opened = !holds;
  let upstreamEnded = false;
  let stopped = false;
  /** A failed step in open mode: the rest goes on, and is said to be unscanned. */
  let unscanned = false;
  let stepping = false;
  let lastTaken = false;
  let paused = false;
  let takeBack: (() => void) | null = null;
  let bytes = 0;

  function accept(frame: Buffer): void {
    if (frame.length === 0) return;
    if (endsReading(frame)) terminators.push(outbox.next());
    outbox.add(frame);
    unjudged.push(frame);
    unjudgedBytes += frame.length;
  }

  /** The upstream has said all of it, and all of it was judged. */
  const over = (): boolean => upstreamEnded && (unscanned || (lastTaken && !stepping));

  /** How far frames may go out now. */
  function limit(): number {
    if (unscanned) return Infinity;
    if (over()) return Infinity;
    if (settings.mode === 'passthrough') return terminators[0] ?? Infinity;
    if (settings.mode === 'full') return 0;
    return opened || state.chars >= settings.bufferChars ? cleared : 0;
  }

  function flush(): void {
    if (stopped) return;
    const going = outbox.take(limit());
    if (going !== null) opened = true;
    const keepsUp = going === null || sink.write(going);
    if (over() && outbox.isEmpty()) {
      stop();
      sink.end();
      return;
    }
    regulate(keepsUp);
  }

  function regulate(keepsUp: boolean): void {
    // `full` holds everything by design; its bound is the size of the response.
    const tooMuch = settings.mode !== 'full' && Math.max(outbox.bytes(), unjudgedBytes) > MAX_WAITING_BYTES;
    if (!keepsUp || tooMuch) {
      paused = true;
      sink.pause();
    } else if (paused && !tooMuch) {
      paused = false;
      sink.resume();
    }
  }

  function schedule(): void {
    if (stopped || stepping || unscanned) return;
    if (upstreamEnded ? lastTaken : unjudged.length === 0) return;
    const gathered = unjudgedBytes >= GATHER_BYTES || unjudged.length >= GATHER_FRAMES[settings.mode];
    if (upstreamEnded || terminators.length > 0 || gathered) step();
    else if (gatherMs !== null) takeBack ??= beat.after(judged === 0 ? Math.min(FIRST_MS, gatherMs) : gatherMs, step);
  }

  /** Everything is judged before each ending, so a step takes only so many: it has a deadline to keep. */
  function mostFrames(): number {
    const ending = terminators.filter((number) => number >= taken)[MOST_ENDINGS - 1];
    return ending === undefined ? unjudged.length : ending - taken + 1;
  }

  function step(): void {
    takeBack?.();
    takeBack = null;
    if (stopped || stepping) return;
    const frames = unjudged.slice(0, mostFrames());
    unjudged = unjudged.slice(frames.length);
    unjudgedBytes = unjudged.reduce((sum, frame) => sum + frame.length, 0);
    taken += frames.length;
    stepping = true;
    lastTaken = upstreamEnded && unjudged.length === 0;
    let end = 0;
    const job: StreamJob = {
      path: settings.path,
      kind: settings.kind,
      bytes: Buffer.concat(frames),
      ends: frames.map((frame) => (end += frame.length)),
      last: lastTaken,
      state,
      mask: settings.mask && holds ? { from: outbox.first() } : null,
      forbidden: settings.forbidden,
    };
    scan.step(job).then(
      (outcome) => stepped(outcome),
      () => stepped({ kind: 'error', reason: 'engine' }),
    );
  }

  function stepped(outcome: StreamOutcome): void {
    stepping = false;
    if (stopped) return;
    if (outcome.kind === 'step') {
      state = outcome.state;
      judged = taken;
      cleared = outcome.cleared;
      terminators = terminators.filter((number) => number >= judged);
      const kept = outcome.maskable.filter((finding) => !isMasked(finding));
      const news = [...outcome.findings, ...kept];
      const refusal = news.length === 0 ? null : scan.judge(news);
      if (refusal !== null) {
        refuse(refusal);
        return;
      }
      for (const patch of outcome.patches) if (masking.has(patch.signature)) outbox.amend(patch);
    } else {
      const refusal = scan.failed(outcome);
      if (refusal !== null) {
        refuse(refusal);
        return;
      }
      unscanned = true;
    }
    flush();
    schedule();
  }

  function isMasked(finding: Finding): boolean {
    const masked = scan.masks(finding);
    if (masked) masking.add(finding.signature);
    return masked;
  }

  function refuse(refusal: Refusal): void {
    stop();
    sink.refuse(refusal);
  }

  function stop(): void {
    stopped = true;
    outbox.clear();
    unjudged = [];
    takeBack?.();
    takeBack = null;
  }

  return {
    push(chunk) {
      if (stopped) return;
      bytes += chunk.length;
      for (const frame of framer.push(chunk)) accept(frame);
      const held = settings.mode === 'full' ? bytes : framer.pendingBytes();
      if (held > (settings.mode === 'full' ? settings.maxBytes : MAX_FRAME_BYTES)) {
        refuse(scan.tooLarge());
        return;
      }
      flush();
      schedule();
    },
    end() {
      if (stopped) return;
      // Half a frame is still text that some client may read.
      accept(framer.rest());
      upstreamEnded = true;
      if (unscanned) flush();
      else schedule();
    },
    drained() {
      if (!stopped) regulate(true);
    },
    holding: () => !stopped && (!outbox.isEmpty() || framer.pendingBytes() > 0),
    stop,
  };
}
