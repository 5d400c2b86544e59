import type { Failure } from '../../domain/failure.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Forbidden } from '../../domain/job.ts';
import {
  hasEndMarker,
  FRESH_STREAM,
  type StreamJob,
  type StreamOutcome,
  type StreamState,
} from '../../domain/stream.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { createSharedTimer } from './shared-timer.ts';
import { createFrameLog } from './frame-log.ts';
import { createFramer } from './frames.ts';
import type { StreamKind } from './in-band.ts';
import { createMessageFramer } from './message-frames.ts';
import { createPace, type Mode } from './pace.ts';

/**
 * A streamed response that is scanned while it is sent. Frames are scanned in steps: one step at a time, each with all
 * frames that arrived meanwhile. They are sent unchanged, or masked. The three modes differ in how long a frame waits:
 * - `passthrough`: not at all. Only a frame that ends the client's reading waits for the verdict, with what follows it.
 * - `buffered`: until it can no longer become part of a match. The first frames wait for `bufferChars` characters.
 * - `full`: until the whole stream was scanned.
 */

export interface StreamSettings {
  readonly kind: StreamKind;
  readonly mode: Mode;
  readonly path: string;
  /** `buffered`: characters of model text that are scanned before the first frame is sent. */
  readonly bufferChars: number;
  readonly maxBytes: number;
  readonly mask: boolean;
  readonly forbidden: Forbidden | null;
}

/** What a stream asks of the scanner and the policy. */
export interface StreamScan {
  step(job: StreamJob): Promise<StreamOutcome>;
  /** Returns the refusal, or null when the findings may pass. Called once for each finding. */
  judge(findings: readonly Finding[]): Refusal | null;
  /** Whether matches of the finding's signature are to be masked. Asked of each finding until one of its signature is. */
  shouldMask(finding: Finding): boolean;
  /** A step failed. Returns the refusal, or null when the stream goes on unscanned. */
  onFailedStep(outcome: Exclude<StreamOutcome, { kind: 'step' }>): Refusal | null;
  /** Reports the result of the last step for the metrics. A masked value counts as blocked. */
  countResult(result: 'allow' | 'block' | Failure['kind']): void;
  refusalOfTooLarge(): Refusal;
  /** Our own code threw. Nothing more is sent on this stream. */
  onOwnFault(error: unknown): void;
}

/** The two ends of the stream: where frames are sent, and the upstream that can be slowed down. */
export interface StreamSink {
  /** Returns false when the client does not keep up; `onDrain` is called once it does. */
  write(bytes: Buffer): boolean;
  end(): void;
  /** Ends the response with a refusal: as its HTTP status when nothing was sent yet, otherwise as an error frame. */
  refuse(refusal: Refusal): void;
  /** Stops and restarts reading from the upstream. */
  pause(): void;
  resume(): void;
}

export interface ScannedStream {
  push(chunk: Buffer): void;
  /** The upstream has sent everything. */
  end(): void;
  /** The client can take more bytes again. */
  onDrain(): void;
  /** Whether bytes are held back, so that a client may see silence although the upstream sends. */
  isHolding(): boolean;
  /** Gives the stream up: nothing is scanned or sent any more. */
  stop(): void;
}

const stepTimer = createSharedTimer(50);
/** With more bytes waiting for a verdict, reading from the upstream is paused, which bounds the memory of a stream. */
const MAX_WAITING_BYTES = 1_048_576;
/** In the results of a batch every line contains an end marker, so a step is limited to this many of them. */
const MAX_END_MARKERS = 64;
/**
 * More is written only once the client has taken this much, which shows that it reads, however slowly. `full` would
 * otherwise write the whole stream at once.
 */
const MAX_WRITE_BYTES = 65_536;
/** A longer frame is refused: it would have to be held in memory to its end. */
const MAX_FRAME_BYTES = 8_388_608;

export function createScannedStream(settings: StreamSettings, scan: StreamScan, sink: StreamSink): ScannedStream {
  const framer = settings.kind === 'eventstream' ? createMessageFramer() : createFramer(settings.kind);
  const holdsBack = settings.mode !== 'passthrough';
  const pace = createPace(settings.mode);
  const log = createFrameLog();
  /** Frames before this number can no longer become part of a match. */
  let clearedUntil = 0;
  /** Numbers of the frames that end a client's reading (`data: [DONE]`, say) and were not scanned yet. */
  let terminators: number[] = [];
  let state: StreamState = FRESH_STREAM;
  /** Ids of the signatures whose matches are masked. */
  const maskedSignatures = new Set<string>();
  let hasSent = !holdsBack;
  let upstreamEnded = false;
  let stopped = false;
  /** A step failed and the failure mode is open: the rest is sent without being scanned, and counted as such. */
  let isUnscanned = false;
  /** The number of the frame from which on the bytes are no frames. Those before it are judged first. */
  let malformedFrom = Infinity;
  let isStepping = false;
  let isLastTaken = false;
  /**
   * Result of the last write to the client. Once false, it stays false until `onDrain`, also when a step ends
   * meanwhile.
   */
  let keepsUp = true;
  let paused = false;
  let cancelScheduledStep: (() => void) | null = null;
  let receivedBytes = 0;

  function accept(frame: Buffer): void {
    if (frame.length === 0) return;
    if (!isUnscanned && hasEndMarker(frame, settings.kind)) terminators.push(log.nextNumber());
    log.add(frame);
    if (isUnscanned) log.take(Infinity);
  }

  const isEmpty = (): boolean => log.firstHeld() === log.nextNumber();

  /** The upstream has sent everything, and all of it was scanned (or scanning was given up). */
  const isOver = (): boolean =>
    upstreamEnded && (isUnscanned || (isLastTaken && !isStepping && malformedFrom === Infinity));

  /** The number of the first frame that may not be sent yet. */
  function firstUnsendable(): number {
    if (isUnscanned || isOver()) return Infinity;
    if (settings.mode === 'passthrough') return Math.min(terminators[0] ?? Infinity, malformedFrom);
    if (settings.mode === 'full') return 0;
    return hasSent || state.chars >= settings.bufferChars ? clearedUntil : 0;
  }

  function flush(): void {
    if (stopped) return;
    do {
      const released = log.release(firstUnsendable(), MAX_WRITE_BYTES);
      if (released === null) break;
      hasSent = true;
      keepsUp = sink.write(released);
    } while (keepsUp);
    if (isOver() && isEmpty()) {
      stop();
      sink.end();
      return;
    }
    regulate();
  }

  function regulate(): void {
    // `full` holds everything by design. It is bounded by the maximum size of a response instead.
    const tooMuch = settings.mode !== 'full' && Math.max(log.heldBytes(), log.untakenBytes()) > MAX_WAITING_BYTES;
    if (!keepsUp || tooMuch) {
      paused = true;
      sink.pause();
    } else if (paused && !tooMuch) {
      paused = false;
      sink.resume();
    }
  }

  /**
   * More is held than may be, and all of it is judged: only what follows could release it, which is not read while so
   * much is held. A picture inside an event is larger than that by itself.
   */
  function isStuck(): boolean {
    return keepsUp && settings.mode !== 'full' && log.untakenFrames() === 0 && log.heldBytes() > MAX_WAITING_BYTES;
  }

  function schedule(): void {
    if (stopped || isStepping || isUnscanned) return;
    if (malformedFrom !== Infinity) {
      if (isLastTaken || malformedFrom === 0) endReading();
      else step();
      return;
    }
    if (!upstreamEnded && isStuck()) {
      step(true);
      return;
    }
    if (upstreamEnded ? isLastTaken : log.untakenFrames() === 0) return;
    if (upstreamEnded || terminators.length > 0 || pace.isEnough(log.untakenFrames(), log.untakenBytes())) step();
    else if (pace.waitMs() !== Infinity) cancelScheduledStep ??= stepTimer.after(pace.waitMs(), () => step());
  }

  /**
   * How many frames a step takes. The scanner judges everything so far again at each end marker, so a step with many of
   * them would miss its deadline.
   */
  function maxFrames(): number {
    const ending = terminators[MAX_END_MARKERS - 1];
    return Math.min(ending === undefined ? Infinity : ending + 1, malformedFrom) - log.firstUntaken();
  }

  /** With `isFreeing`, every text is judged to its end, and nothing that was held waits any longer. */
  function step(isFreeing = false): void {
    cancelScheduledStep?.();
    cancelScheduledStep = null;
    if (stopped || isStepping) return;
    const { bytes, ends } = log.take(maxFrames());
    isStepping = true;
    pace.onStep();
    isLastTaken = (upstreamEnded && log.untakenFrames() === 0) || log.firstUntaken() === malformedFrom;
    const job: StreamJob = {
      path: settings.path,
      kind: settings.kind,
      bytes,
      ends,
      last: isLastTaken || isFreeing,
      state,
      // A message of a binary event stream has its length and checksums in it, so nothing is replaced there.
      maskFrom: settings.mask && holdsBack && settings.kind !== 'eventstream' ? log.firstHeld() : null,
      maskedSignatures: [...maskedSignatures],
      forbidden: settings.forbidden,
    };
    run(job, isFreeing, null);
  }

  /** `found` is what a run of the same step found that is to be masked in this one. */
  function run(job: StreamJob, isFreeing: boolean, found: readonly Finding[] | null): void {
    scan
      .step(job)
      .then((outcome) => {
        const refound = outcome.kind === 'step' && job.maskFrom !== null && !stopped ? toMask(outcome.findings) : [];
        if (outcome.kind === 'step' && refound.length > 0) {
          // Which matches are to be masked is known only here, and only those may be: the step is made again.
          scan.countResult('block');
          for (const { signature } of refound) maskedSignatures.add(signature);
          const again = { ...job, maskFrom: log.firstHeld(), maskedSignatures: [...maskedSignatures] };
          run(again, isFreeing, outcome.findings);
          return;
        }
        if (isFreeing) hasSent = true;
        onStepped(outcome, found);
      })
      .catch((error: unknown) => {
        stop();
        scan.onOwnFault(error);
      });
  }

  function onStepped(outcome: StreamOutcome, found: readonly Finding[] | null): void {
    isStepping = false;
    if (outcome.kind !== 'step') scan.countResult(outcome.kind);
    else if (stopped) scan.countResult('allow');
    if (stopped) return;
    if (outcome.kind === 'step') {
      state = outcome.state;
      clearedUntil = outcome.clearedUntil;
      terminators = terminators.filter((number) => number >= log.firstUntaken());
      const refusal = outcome.findings.length === 0 ? null : scan.judge(outcome.findings);
      scan.countResult(refusal === null && outcome.patches.length === 0 ? 'allow' : 'block');
      if (refusal !== null) {
        refuse(refusal);
        return;
      }
      for (const patch of outcome.patches) log.addPatch(patch);
    } else {
      // Whatever became of masking it, something that blocks was found.
      const refusal = found === null ? null : scan.judge(found);
      if (refusal !== null) {
        refuse(refusal);
        return;
      }
      goOnUnscanned(outcome);
      if (stopped) return;
    }
    flush();
    schedule();
  }

  /** All that could be read of a malformed stream was judged. */
  function endReading(): void {
    scan.countResult('unreadable');
    goOnUnscanned({ kind: 'unreadable', reason: 'invalid-text' });
    flush();
  }

  /** Refuses the rest of the stream, or lets it pass as it comes. */
  function goOnUnscanned(failure: Failure): void {
    const refusal = scan.onFailedStep(failure);
    if (refusal !== null) {
      refuse(refusal);
      return;
    }
    isUnscanned = true;
    // No step will take the remaining frames, so they must not count as waiting for one.
    log.take(Infinity);
  }

  /** The findings that are to be masked, and were not when they were found. */
  function toMask(findings: readonly Finding[]): Finding[] {
    return findings.filter((finding) => !maskedSignatures.has(finding.signature) && scan.shouldMask(finding));
  }

  function refuse(refusal: Refusal): void {
    stop();
    sink.refuse(refusal);
  }

  function stop(): void {
    stopped = true;
    log.clear();
    cancelScheduledStep?.();
    cancelScheduledStep = null;
  }

  return {
    push(chunk) {
      if (stopped) return;
      receivedBytes += chunk.length;
      for (const frame of framer.push(chunk)) accept(frame);
      if (malformedFrom === Infinity && framer.isMalformed()) malformedFrom = log.nextNumber() - 1;
      const held = settings.mode === 'full' ? receivedBytes : framer.pendingBytes();
      if (held > (settings.mode === 'full' ? settings.maxBytes : MAX_FRAME_BYTES)) {
        refuse(scan.refusalOfTooLarge());
        return;
      }
      flush();
      schedule();
    },
    end() {
      if (stopped) return;
      // An incomplete last frame is still text that some clients read.
      accept(framer.incompleteFrame());
      upstreamEnded = true;
      if (isUnscanned) flush();
      else schedule();
    },
    onDrain() {
      keepsUp = true;
      flush();
      schedule();
    },
    isHolding: () => !stopped && (!isEmpty() || framer.pendingBytes() > 0),
    stop,
  };
}
