/**
 * What broke of ours, for a log: the kind of error and its place in the code. Never its message, which may quote what somebody sent.
 */
export interface Mistake {
  readonly error_code: string;
  readonly reason: string;
}

export function mistakeOf(error: unknown): Mistake {
  return { error_code: codeOf(error), reason: placeOf(error) };
}

export function codeOf(error: unknown): string {
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown';
}

/** An error's place in the code: enough to find it, and nothing of what was in a body. */
function placeOf(error: unknown): string {
  const frame =
    error instanceof Error ? (error.stack ?? '').split('\n').find((line) => line.trim().startsWith('at ')) : undefined;
  return frame === undefined ? 'unknown place' : frame.trim().slice(0, 200);
}
