/**
 * An internal error as it is logged: its kind and where in the code it was thrown. Never its message, which may quote
 * a body.
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

/** The first stack frame: enough to find the cause, and nothing of what was in a body. */
function placeOf(error: unknown): string {
  const frame =
    error instanceof Error ? (error.stack ?? '').split('\n').find((line) => line.trim().startsWith('at ')) : undefined;
  return frame === undefined ? 'unknown place' : frame.trim().slice(0, 200);
}
