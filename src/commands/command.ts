/** What a command is, and the words in which it ends. */

export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** EX_CONFIG of sysexits.h, so that systemd can tell it from a crash and not restart into the same file. */
  config: 78,
} as const;

export interface Flag {
  /** One letter. */
  readonly alias?: string;
  /** What stands for the value in the help; a flag without one is a switch. */
  readonly value?: string;
  /** May be given several times. */
  readonly many?: true;
  readonly help: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** What was typed, already held against the command's flags. */
export interface Arguments {
  readonly words: readonly string[];
  has(name: string): boolean;
  text(name: string): string | undefined;
  list(name: string): readonly string[];
}

export interface Command {
  /** The forms of the call, without the `guard`. */
  readonly usage: readonly string[];
  readonly flags: Flags;
  /** The most words it takes besides its flags. */
  readonly maxWords: number;
  run(args: Arguments): Promise<number>;
}

/** Thrown for a call that makes no sense: said on standard error with a pointer to the help, exit code 2. */
export function misuse(message: string): Error {
  return Object.assign(new Error(message), { name: MISUSE });
}

export function isMisuse(error: unknown): error is Error {
  return error instanceof Error && error.name === MISUSE;
}

const MISUSE = 'Misuse';
