import { ROLES, type Role } from '../domain/passage.ts';
import { misuse, type Arguments } from './command.ts';

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
  const role = args.text('role') ?? null;
  if (role !== null && !ROLES.includes(role as Role)) throw misuse(`--role takes one of ${ROLES.join(', ')}`);
  const direction = args.text('direction') ?? null;
  if (direction !== null && direction !== 'request' && direction !== 'response')
    throw misuse('--direction takes request or response');
  const whole = (flag: string, most: number): number | null => {
    const given = args.text(flag);
    if (given === undefined) return null;
    const number = Number(given);
    if (!Number.isInteger(number) || number < 1 || number > most)
      throw misuse(`--${flag} takes a whole number from 1 to ${most}`);
    return number;
  };
  return {
    role: role as Role | null,
    direction,
    sample: whole('sample', 1_000_000),
    threads: whole('threads', 64),
    depth: whole('depth', 9),
  };
}
