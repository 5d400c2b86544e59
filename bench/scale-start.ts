/** How long a new process takes until it says that it is ready, with everything loaded: what a rolling restart waits for. */
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

/** The command itself and not the service inside of a process of the bench: in what order it loads is part of its start. */
const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url));

export async function measureStart({ rounds }: { readonly rounds: number }): Promise<StartResults> {
  const progress = createProgress(rounds);
  const ms: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    progress.step(`start, round ${round + 1}`);
    const port = await freePort();
    const startedAt = performance.now();
    // Its upstreams are never asked: a proxy that waited for them would not start when it is most needed.
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
      // It has served nobody, and would wait for those who might still come.
      child.kill('SIGKILL');
      await gone;
    }
  }
  progress.end();
  return { ms: spread(ms) };
}
