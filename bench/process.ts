import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * The parent's side of a benchmark process. Every component with a cost has a process of its own, so that costs can
 * be attributed.
 */

/** CPU microseconds since the start, over all threads, and the current memory in bytes. */
export interface Usage {
  readonly user: number;
  readonly system: number;
  /** CPU of the main thread, which does the I/O; null where the system does not tell. */
  readonly main: number | null;
  readonly rss: number;
}

export interface Child {
  readonly port: number;
  usage(): Promise<Usage>;
  ask(question: unknown): Promise<unknown>;
  close(): Promise<void>;
}

const START_MS = 60_000;
const ANSWER_MS = 120_000;

export interface ChildOptions {
  /** Called with the pid early, before the process has allocated much, for processes that run under a memory limit. */
  readonly born?: (pid: number) => void;
  readonly nodeFlags?: readonly string[];
  /** Called when the process was killed from outside, for example by the kernel for lack of memory. */
  readonly killed?: () => void;
}

/** Starts a process. `script` is relative to this folder in the build output. */
export function startChild(
  script: string,
  parameters: object,
  { born, nodeFlags = [], killed }: ChildOptions = {},
): Promise<Child> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = fork(file, [JSON.stringify(parameters)], {
    // Its log is not printed here, but writing it is part of its cost.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...profiling(script), ...nodeFlags],
  });
  if (child.pid !== undefined) born?.(child.pid);
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let ids = 0;
  let ended: Error | null = null;
  let closing = false;

  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = new Error(`${script} ended with ${signal ?? code}`);
      if (signal === 'SIGKILL' && !closing) killed?.();
      for (const { reject } of waiting.values()) reject(ended);
      resolve();
    });
  });

  function send(ask: string, given?: unknown): Promise<unknown> {
    if (ended !== null) return Promise.reject(ended);
    ids += 1;
    const id = ids;
    const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
    // Errors are ignored: if the process has just died, the answer is its end rather than a broken pipe.
    child.send({ id, ask, with: given }, () => {});
    return within(ANSWER_MS, answer, `${script} does not answer`);
  }

  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill();
      reject(new Error(`${script} does not start`));
    }, START_MS);
    void gone.then(() => {
      clearTimeout(timer);
      reject(ended!);
    });
    child.on('message', (message: { port?: number; id?: number; value?: unknown }) => {
      if (message.id !== undefined) {
        waiting.get(message.id)?.resolve(message.value);
        waiting.delete(message.id);
        return;
      }
      clearTimeout(timer);
      resolve({
        port: message.port!,
        usage: () => send('usage') as Promise<Usage>,
        ask: (question) => send('ask', question),
        close() {
          closing = true;
          return end(child, send, gone);
        },
      });
    });
  });
}

async function end(child: ChildProcess, send: (ask: string) => Promise<unknown>, gone: Promise<void>): Promise<void> {
  send('close').catch(() => {});
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
  await gone;
  clearTimeout(timer);
}

/** `GUARD_BENCH_PROFILE=guard` writes a CPU profile of the processes whose script has that word in its name. */
function profiling(script: string): string[] {
  const word = process.env.GUARD_BENCH_PROFILE ?? '';
  return word !== '' && script.includes(word) ? ['--cpu-prof', '--cpu-prof-dir=.bench-profile'] : [];
}

function within<Value>(ms: number, promise: Promise<Value>, complaint: string): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(complaint)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
