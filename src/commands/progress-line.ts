/** One line about a long task on standard error: rewritten on a terminal, and a line of its own elsewhere. */
export interface ProgressLine {
  say(text: string): void;
  /** Wipes the line from a terminal. */
  end(): void;
}

export function createProgressLine(out: NodeJS.WriteStream): ProgressLine {
  let isShown = false;
  return {
    say(text) {
      out.write(out.isTTY ? `${WIPE}${text}` : `${text}\n`);
      isShown = out.isTTY;
    },
    end() {
      if (isShown) out.write(WIPE);
      isShown = false;
    },
  };
}

const WIPE = '\r\x1b[2K';
