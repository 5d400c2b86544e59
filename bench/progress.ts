/** Shows progress: one line that is rewritten on a terminal, or one line per step otherwise. */
export interface Progress {
  step(what: string): void;
  end(): void;
}

export function createProgress(steps: number, out: NodeJS.WriteStream = process.stderr): Progress {
  let done = 0;
  return {
    step(what) {
      done += 1;
      const line = `[${done}/${steps}] ${what}`;
      if (out.isTTY) out.write(`\r\x1b[2K${line}`);
      else out.write(`${line}\n`);
    },
    end() {
      if (out.isTTY) out.write('\r\x1b[2K');
    },
  };
}
