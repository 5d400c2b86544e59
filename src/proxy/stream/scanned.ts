import type { Failure } from '../../domain/failure.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Forbidden } from '../../domain/job.ts';
import { endsReading, FRESH, type StreamJob, type StreamOutcome, type StreamState } from '../../domain/stream.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { createBeat } from './beat.ts';
import { createFrameLog } from './frame-log.ts';
import { createFramer } from './frames.ts';
import type { StreamKind } from './in-band.ts';
import { createPace } from './pace.ts';

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
  /** What the last step came to, once it was judged. What is replaced counts as blocked. */
  ended(result: 'allow' | 'block' | Failure['kind']): void;
  tooLarge(): Refusal;
  /** Something of ours threw: nothing more comes of this stream. */
  mistaken(error: unknown): void;
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

const beat = createBeat(50);
/** More than this waiting for a verdict stops the upstream, not our memory. */
const MAX_WAITING_BYTES = 1_048_576;
/** Batches come with an ending in each of their lines. */
const MOST_ENDINGS = 64;
/** A frame longer than this is no frame. */
const MAX_FRAME_BYTES = 8_388_608;

export function createScannedStream(settings: StreamSettings, scan: StreamScan, sink: StreamSink): ScannedStream {
  const framer = createFramer(settings.kind);
  const holds = settings.mode !== 'passthrough';
  const pace = createPace(settings.mode);
  const log = createFrameLog();
  /** Frames before this number can no longer become part of a match. */
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
  /** Since it was written to last, until it says that it drained. A step that ends meanwhile changes nothing of that. */
  let keepsUp = true;
  let paused = false;
  let takeBack: (() => void) | null = null;
  let bytes = 0;

  function accept(frame: Buffer): void {
    if (frame.length === 0) return;
    if (endsReading(frame)) terminators.push(log.next());
    log.add(frame);
    if (unscanned) log.take(Infinity);
  }

  const isEmpty = (): boolean => log.first() === log.next();

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
    const going = log.release(limit());
    if (going !== null) opened = true;
    if (going !== null) keepsUp = sink.write(going);
    if (over() && isEmpty()) {
      stop();
      sink.end();
      return;
    }
    regulate();
  }

  function regulate(): void {
    // `full` holds everything by design; its bound is the size of the response.
    const tooMuch = settings.mode !== 'full' && Math.max(log.heldBytes(), log.untakenBytes()) > MAX_WAITING_BYTES;
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
    if (upstreamEnded ? lastTaken : log.untaken() === 0) return;
    if (upstreamEnded || terminators.length > 0 || pace.isEnough(log.untaken(), log.untakenBytes())) step();
    else if (pace.waitMs() !== Infinity) takeBack ??= beat.after(pace.waitMs(), step);
  }

  /** Everything is judged before each ending, so a step takes only so many: it has a deadline to keep. */
  function mostFrames(): number {
    const ending = terminators[MOST_ENDINGS - 1];
    return ending === undefined ? Infinity : ending + 1 - log.taken();
  }

  function step(): void {
    takeBack?.();
    takeBack = null;
    if (stopped || stepping) return;
    const { bytes, ends } = log.take(mostFrames());
    stepping = true;
    pace.stepped();
    lastTaken = upstreamEnded && log.untaken() === 0;
    const job: StreamJob = {
      path: settings.path,
      kind: settings.kind,
      bytes,
      ends,
      last: lastTaken,
      state,
      mask: settings.mask && holds ? { from: log.first() } : null,
      forbidden: settings.forbidden,
    };
    scan
      .step(job)
      .then(stepped)
      .catch((error: unknown) => {
        stop();
        scan.mistaken(error);
      });
  }

  function stepped(outcome: StreamOutcome): void {
    stepping = false;
    if (outcome.kind !== 'step') scan.ended(outcome.kind);
    else if (stopped) scan.ended('allow');
    if (stopped) return;
    if (outcome.kind === 'step') {
      state = outcome.state;
      cleared = outcome.cleared;
      terminators = terminators.filter((number) => number >= log.taken());
      const kept = outcome.maskable.filter((finding) => !isMasked(finding));
      const news = [...outcome.findings, ...kept];
      const refusal = news.length === 0 ? null : scan.judge(news);
      scan.ended(refusal === null && kept.length === outcome.maskable.length ? 'allow' : 'block');
      if (refusal !== null) {
        refuse(refusal);
        return;
      }
      for (const patch of outcome.patches) if (masking.has(patch.signature)) log.amend(patch);
    } else {
      const refusal = scan.failed(outcome);
      if (refusal !== null) {
        refuse(refusal);
        return;
      }
      unscanned = true;
      // What no step will take must not count as waiting for one.
      log.take(Infinity);
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
    log.clear();
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
      keepsUp = true;
      if (!stopped) regulate();
    },
    holding: () => !stopped && (!isEmpty() || framer.pendingBytes() > 0),
    stop,
  };
}
