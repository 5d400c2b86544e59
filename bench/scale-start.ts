/** How long a new process takes until it says that it is ready, with everything loaded: what a rolling restart waits for. */
import { CONTESTANTS } from './contestants.ts';
import type { Child } from './process.ts';
import { createProgress } from './progress.ts';
import { untilReady } from './ready.ts';
import { spread, type Spread } from './statistics.ts';

export interface StartResults {
  readonly ms: Spread;
}

export async function measureStart({ rounds }: { readonly rounds: number }): Promise<StartResults> {
  const progress = createProgress(rounds);
  const ms: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    progress.step(`start, round ${round + 1}`);
    const startedAt = performance.now();
    // The upstream is never asked: a proxy that waited for it would not start when it is most needed.
    const child: Child = await CONTESTANTS['guard-scanned'].start(9);
    try {
      await untilReady(child.port);
      ms.push(performance.now() - startedAt);
    } finally {
      await child.close();
    }
  }
  progress.end();
  return { ms: spread(ms) };
}
