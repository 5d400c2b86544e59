import { constants, openSync, write, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Standard output as the place where log lines go. It may be full, closed or not read, and come back: traffic goes on in
 * all of these cases, and so does the end of the process. The destination of pino does neither. It throws the first
 * error of a write, and its last flush tries again for as long as it takes.
 */
export interface LogSink {
  write(line: string): void;
  /** Writes what can be written at once. pino calls this after a fatal line. */
  flushSync(): void;
  /** Writes what is left, for as long as a second. */
  close(): Promise<void>;
}

/** Lines are written in batches, so that one line per exchange does not cost one system call per exchange. */
const BATCH_CHARS = 12_288;
const BATCH_MS = 500;
/** What is held while nothing can be written. Lines beyond it are dropped without being counted. */
const MOST_CHARS = 16_777_216;
/** A pipe that is full may have been read a moment later. A disk that is full has seldom room again. */
const TRY_BUSY_AGAIN_MS = 100;
const TRY_FAULTY_AGAIN_MS = 1000;
/** How long the end of the process waits for a log that is not read. */
const LAST_LINES_MS = 1000;

const NOTHING = Buffer.alloc(0);

export function createLogSink(): LogSink {
  const fd = openOutput();
  /** Taken from `lines` to be written; what is left of it is written again after an error, so that no line is cut. */
  let batch = NOTHING;
  let lines = '';
  let writing = false;
  /** The last write failed. The next one waits for its time, however many lines come. */
  let failing = false;
  let timer: NodeJS.Timeout | null = null;
  let onEnd: (() => void) | null = null;
  let gaveUp = false;

  function put(line: string): void {
    if (batch.length + lines.length + line.length > MOST_CHARS) return;
    lines += line;
    if (writing || failing) return;
    if (lines.length >= BATCH_CHARS) begin();
    else timer ??= setTimeout(begin, BATCH_MS).unref();
  }

  function begin(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (writing) return;
    if (batch.length === 0) takeLines();
    if (batch.length === 0) {
      onEnd?.();
      return;
    }
    writing = true;
    // In a thread of the pool: a slow disk must not stop the main thread.
    write(fd, batch, 0, batch.length, null, written);
  }

  function written(error: NodeJS.ErrnoException | null, count: number): void {
    writing = false;
    failing = error !== null;
    if (error !== null) {
      if (onEnd !== null && !isBusy(error)) giveUp();
      else timer = setTimeout(begin, isBusy(error) ? TRY_BUSY_AGAIN_MS : TRY_FAULTY_AGAIN_MS).unref();
      return;
    }
    batch = batch.subarray(count);
    if (batch.length > 0 || lines.length >= BATCH_CHARS || onEnd !== null) begin();
    else if (lines !== '') timer = setTimeout(begin, BATCH_MS).unref();
  }

  function takeLines(): void {
    batch = Buffer.from(lines);
    lines = '';
  }

  function giveUp(): void {
    gaveUp = true;
    batch = NOTHING;
    lines = '';
    onEnd?.();
  }

  /** Without the event loop. A batch in the hands of a thread is left to it. */
  function writeNow(waitMs: number): void {
    const until = performance.now() + waitMs;
    while (batch.length > 0 || lines !== '') {
      if (batch.length === 0) takeLines();
      try {
        batch = batch.subarray(writeSync(fd, batch));
      } catch (error) {
        if (!isBusy(error as NodeJS.ErrnoException) || performance.now() >= until) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      }
    }
  }

  // The last lines of a process that ends at once, as by a second signal.
  process.once('exit', () => {
    if (gaveUp) return;
    if (writing) batch = NOTHING;
    writeNow(LAST_LINES_MS);
  });

  return {
    write: put,
    flushSync() {
      if (!writing) writeNow(0);
    },
    close() {
      return new Promise((resolve) => {
        const late = setTimeout(giveUp, LAST_LINES_MS);
        onEnd = () => {
          clearTimeout(late);
          onEnd = null;
          resolve();
        };
        begin();
      });
    },
  };
}

/**
 * Nothing may block in a write, since a process cannot end while a thread of it does. Node makes a pipe or a socket
 * non-blocking when `process.stdout` is first read, and a terminal blocking, which may be stopped: it is opened once more.
 */
function openOutput(): number {
  const { fd } = process.stdout;
  if (!isatty(fd)) return fd;
  try {
    return openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // The terminal of another user.
    return fd;
  }
}

function isBusy({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY';
}
