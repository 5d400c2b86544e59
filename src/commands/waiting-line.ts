import { createProgressLine } from './progress-line.ts';

/**
 * Says on a terminal what a command waits for, and for how long by now. Elsewhere it says nothing: there is no count
 * that would be worth a line in a log.
 */
export interface WaitingLine {
  end(): void;
}

const REWRITE_EVERY_MS = 1000;

export function createWaitingLine(what: string, out: NodeJS.WriteStream = process.stderr): WaitingLine {
  if (!out.isTTY) return { end: () => {} };
  const shown = createProgressLine(out);
  const startedAt = performance.now();
  const say = (): void => shown.say(`${what}: ${Math.round((performance.now() - startedAt) / 1000)} s`);
  say();
  const timer = setInterval(say, REWRITE_EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      shown.end();
    },
  };
}
