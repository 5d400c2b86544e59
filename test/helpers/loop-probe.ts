/**
 * Loaded into a process under test with `--import`: says how late the timer of its main thread is, and how much of that
 * the thread itself was busy. The rest it was ready to run and had no processor, which only its neighbours decide.
 */
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 10;

export interface LoopDelay {
  readonly ticks: number;
  /** 99th percentiles in milliseconds: of the delay as a whole, and without the time in which there was no processor. */
  readonly p99: number;
  readonly own: number;
}

/** Milliseconds in which the main thread was ready to run and waited for a processor. */
function waited(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
}

function p99Of(delays: readonly number[]): number {
  return delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? 0;
}

function watch(): void {
  let all: number[] = [];
  let own: number[] = [];
  let lastTick = performance.now();
  let lastWaited = waited();
  setInterval(() => {
    const now = performance.now();
    const waitedSoFar = waited();
    const delay = Math.max(0, now - lastTick - TICK_MS);
    all.push(delay);
    own.push(Math.max(0, delay - (waitedSoFar - lastWaited)));
    lastTick = now;
    lastWaited = waitedSoFar;
  }, TICK_MS).unref();
  // Each signal asks for the time since the one before.
  process.on('SIGUSR2', () => {
    const told: LoopDelay = { ticks: all.length, p99: p99Of(all), own: p99Of(own) };
    process.stdout.write(`${JSON.stringify({ loop: told })}\n`);
    all = [];
    own = [];
  });
}

// Threads are started with the flags of the process.
if (isMainThread) watch();
