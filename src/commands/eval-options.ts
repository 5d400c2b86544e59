import type { Role } from '../domain/passage.ts';
import { misuse, type Arguments } from './command.ts';
import { wholeNumber } from './number-flag.ts';
import { roleFlag } from './role-flag.ts';

/** The flags of `guard eval` that are more than a path or a switch. */
export interface EvalOptions {
  readonly role: Role | null;
  readonly direction: 'request' | 'response' | null;
  readonly sample: number | null;
  readonly threads: number | null;
  readonly depth: number | null;
}

/** Validates the flags before the run, which may take minutes. */
export function evalOptionsOf(args: Arguments): EvalOptions {
  if (args.words.length === 0) throw misuse('eval needs a file of labelled texts, or a folder of them');
  const direction = args.text('direction') ?? null;
  if (direction !== null && direction !== 'request' && direction !== 'response')
    throw misuse('--direction takes request or response');
  return {
    role: roleFlag(args),
    direction,
    sample: wholeNumber(args, 'sample', 1, 1_000_000),
    threads: wholeNumber(args, 'threads', 1, 64),
    depth: wholeNumber(args, 'depth', 1, 9),
  };
}
