import { createProgressLine } from './progress-line.ts';

/** Shows how far a long command is, so often that a terminal looks alive and a log stays short. */
export interface Progress {
  at(what: string, done: number, of: number | null): void;
  end(): void;
}

const REWRITE_EVERY_MS = 100;
const LINE_EVERY_MS = 5000;

export function createProgress(out: NodeJS.WriteStream = process.stderr): Progress {
  const shown = createProgressLine(out);
  let last = '';
  let saidAt = 0;
  return {
    at(what, done, of) {
      const now = performance.now();
      const isNew = what !== last;
      if (!isNew && done !== of && now - saidAt < (out.isTTY ? REWRITE_EVERY_MS : LINE_EVERY_MS)) return;
      last = what;
      saidAt = now;
      shown.say(of === null ? `${what}: ${done}` : `${what}: ${done} of ${of}`);
    },
    end() {
      shown.end();
      last = '';
    },
  };
}
