/** The interface of a command, and its exit codes. */

export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** EX_CONFIG of sysexits.h. With it, systemd can tell an invalid configuration from a crash and need not restart. */
  config: 78,
} as const;

export interface Flag {
  /** One letter. */
  readonly alias?: string;
  /** The placeholder for the value in the help. A flag without one is a switch. */
  readonly value?: string;
  /** May be given several times. */
  readonly many?: true;
  readonly help: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** The arguments, already validated against the command's flags. */
export interface Arguments {
  readonly words: readonly string[];
  /** Whether a switch is given. */
  has(name: string): boolean;
  /** The value of a flag. */
  text(name: string): string | undefined;
  /** All values of a flag that may be repeated. */
  list(name: string): readonly string[];
}

export interface Command {
  /** The forms of the call, without the leading `guard`. */
  readonly usage: readonly string[];
  readonly flags: Flags;
  /** How many positional arguments it takes at most. */
  readonly maxWords: number;
  run(args: Arguments): Promise<number>;
}

/** An error for a wrong call. It is printed on standard error with a pointer to the help, and the exit code is 2. */
export function misuse(message: string): Error {
  return Object.assign(new Error(message), { name: MISUSE });
}

export function isMisuse(error: unknown): error is Error {
  return error instanceof Error && error.name === MISUSE;
}

const MISUSE = 'Misuse';
