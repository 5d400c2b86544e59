/** The time until a new process is ready with everything loaded, which is what a rolling restart waits for. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from './native.ts';
import { createProgress } from './progress.ts';
import { untilReady } from './ready.ts';
import { spread, type Spread } from './statistics.ts';

export interface StartResults {
  readonly ms: Spread;
}

/**
 * Runs the real command instead of the service inside a benchmark process, because its order of loading is part of
 * the start.
 */
const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url));

export async function measureStart({ rounds }: { readonly rounds: number }): Promise<StartResults> {
  const progress = createProgress(rounds);
  const ms: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    progress.step(`start, round ${round + 1}`);
    const port = await freePort();
    const startedAt = performance.now();
    // The upstreams need not exist: a proxy that waited for them could not start when it is needed most.
    const child = spawn(process.execPath, [MAIN, 'serve', '--host', '127.0.0.1', '--port', String(port)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const gone = once(child, 'exit');
    try {
      await Promise.race([
        untilReady(port),
        gone.then(() => Promise.reject(new Error('it ended before it was ready'))),
      ]);
      ms.push(performance.now() - startedAt);
    } finally {
      // Killed at once: it has no calls to finish, and a normal shutdown would wait for late ones.
      child.kill('SIGKILL');
      await gone;
    }
  }
  progress.end();
  return { ms: spread(ms) };
}
