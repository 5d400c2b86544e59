/**
 * The child's side of a benchmark process. It reports its port, answers questions about its own cost, and ends when
 * it is told to or when its parent is gone. The process measures itself, so that all of its threads are counted,
 * workers included.
 */
import { readFileSync } from 'node:fs';
import type { Usage } from './process.ts';

export type Answer = (question: unknown) => Promise<unknown> | unknown;

/** Reports the port to the parent and answers its messages. */
export function serveControl(port: number, close: () => Promise<void> | void, answer: Answer = () => null): void {
  process.on('message', (message: { id: number; ask: string; with?: unknown }) => {
    void reply(message.id, message.ask, message.with);
  });
  process.on('disconnect', () => process.exit(0));
  process.send!({ port });

  async function reply(id: number, ask: string, given: unknown): Promise<void> {
    if (ask === 'close') {
      await close();
      process.exit(0);
    }
    const value = ask === 'usage' ? usage() : await answer(given);
    process.send!({ id, value });
  }
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { user, system, main: mainThread(), rss: process.memoryUsage.rss() };
}

function mainThread(): number | null {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1000;
  } catch {
    return null;
  }
}
