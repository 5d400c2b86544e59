import { LENIENT_ROLES, type Passage } from '../../domain/passage.ts';
import type { createFindings } from '../findings.ts';
import type { Seam } from '../seams.ts';

/**
 * Where the instructions of an application meet a prompt, both are read as one text and judged as the user's, since a
 * phrase may be cut in two there. What is found in the instructions by themselves, such as an attack that they quote,
 * is found in that text once more. It stays the application's own.
 *
 * Refused: to read them apart. An application may pass on half of a phrase in either.
 */
export function dropOwnWords(owners: readonly (Passage | Seam)[], findings: ReturnType<typeof createFindings>): void {
  for (const owner of owners) {
    if (!('parts' in owner) || !findings.has(owner)) continue;
    const lenient = owner.parts.filter(({ role }) => LENIENT_ROLES.has(role));
    if (lenient.length === owner.parts.length) continue;
    const own = lenient.flatMap((part) => findings.in(part).map(({ signature }) => signature));
    if (own.length > 0) findings.drop(owner, new Set(own));
  }
}
