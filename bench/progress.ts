import { createProgressLine } from '../src/commands/progress-line.ts';

/** Shows which step of how many a run is at. */
export interface Progress {
  step(what: string): void;
  end(): void;
}

export function createProgress(steps: number, out: NodeJS.WriteStream = process.stderr): Progress {
  const shown = createProgressLine(out);
  let done = 0;
  return {
    step(what) {
      done += 1;
      shown.say(`[${done}/${steps}] ${what}`);
    },
    end: () => shown.end(),
  };
}
