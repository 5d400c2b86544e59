/**
 * Shows the progress of a long command on standard error: one line that is rewritten on a terminal, occasional lines
 * in a log.
 */
export interface Progress {
  at(what: string, done: number, of: number | null): void;
  end(): void;
}

const REWRITE_EVERY_MS = 100;
const LINE_EVERY_MS = 5000;

export function createProgress(out: NodeJS.WriteStream = process.stderr): Progress {
  let last = '';
  let saidAt = 0;
  return {
    at(what, done, of) {
      const now = performance.now();
      const isNew = what !== last;
      if (!isNew && done !== of && now - saidAt < (out.isTTY ? REWRITE_EVERY_MS : LINE_EVERY_MS)) return;
      last = what;
      saidAt = now;
      const line = of === null ? `${what}: ${done}` : `${what}: ${done} of ${of}`;
      out.write(out.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
    },
    end() {
      if (out.isTTY && last !== '') out.write('\r\x1b[2K');
      last = '';
    },
  };
}
