import { ROLES, type Role } from '../domain/passage.ts';
import { misuse, type Arguments } from './command.ts';

/** The role given by --role, or null without it. */
export function roleFlag(args: Arguments): Role | null {
  const given = args.text('role');
  if (given === undefined) return null;
  const role = ROLES.find((each) => each === given);
  if (role === undefined) throw misuse(`--role takes one of ${ROLES.join(', ')}`);
  return role;
}
