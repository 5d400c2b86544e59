import type { Finding } from '../../domain/finding.ts';
import type { Passage } from '../../domain/passage.ts';
import { SMALL_STRINGS } from '../../wire/passages.ts';
import type { createFindings } from '../findings.ts';
import { isInPlace } from '../places.ts';
import { isPlainRequest } from './plain-requests.ts';
import type { Resembling } from '../resemblance.ts';
import { isOfTurns, unitsOfSeam } from '../seams.ts';
import type { Seam } from '../seams.ts';

interface Found {
  readonly findings: ReturnType<typeof createFindings>;
  readonly alike: Resembling | null;
}

/** Of one body: what was found in further texts counts. */
const MOST_COMPARED = 32;

/**
 * Drops what was found in honest texts that have the words of attacks. Only texts in which something was found are
 * compared with the vocabularies, which costs more than to find nothing. Where turns meet, or where a message tells the
 * name of a call beside its text, what such a text holds is found once more, and dropped there, too.
 *
 * `isOperators` tells the signatures that the operator wrote: what they look for is what somebody here wants to know.
 *
 * Refused: sparing a sentence of a manual that sets its steps aside for the owners of another system. The order that
 * stands next to it need have no word of any signature, and is what the sentence makes room for.
 */
export function dropSpared(
  owners: readonly (Passage | Seam)[],
  { findings, alike }: Found,
  isOperators: (signature: string) => boolean,
  findingsIn: (passage: Passage) => readonly Finding[] | null,
): void {
  const seams = owners.filter((owner) => 'parts' in owner);
  /** What was found in each honest text, without what the operator looks for. */
  const honest = new Map<Passage, ReadonlySet<string>>();
  let left = MOST_COMPARED;
  for (const owner of owners) {
    if (!('text' in owner) || (!findings.has(owner) && !alike?.has(owner))) continue;
    if (left === 0) break;
    left -= 1;
    const inOwner = [...findings.in(owner), ...(alike?.in(owner) ?? [])];
    if (!inOwner.every(isAsWritten) || !isPlainRequest(owner)) continue;
    const signatures = findings.in(owner).map(({ signature }) => signature);
    honest.set(owner, new Set(signatures.filter((signature) => !isOperators(signature))));
  }
  for (const [owner, spared] of honest) {
    const around = seams.filter(({ parts }) => parts.includes(owner));
    if (!around.every((seam) => isOfTurns(seam) || isAlone(owner, seam))) continue;
    // What the texts around it add may be what it makes room for: then it is one half of an attack.
    const isHalf = around.some((seam) => {
      const known = new Set(seam.parts.flatMap((part) => [...(honest.get(part) ?? [])]));
      return findings.in(seam).some(({ signature }) => !known.has(signature) && !isOperators(signature));
    });
    if (isHalf) continue;
    const dropped = around.map((seam) => [seam, withoutThoseBeside(spared, owner, seam, findingsIn)] as const);
    findings.drop(owner, spared);
    alike?.drop(owner);
    for (const [seam, signatures] of dropped) findings.drop(seam, signatures);
  }
}

/** What had to be decoded is no wording that anybody says in honesty. */
function isAsWritten({ via }: Finding): boolean {
  return via.every((name) => name === HYPHENATED || isInPlace([name]));
}

const HYPHENATED = 'hyphenated';

/** Of the signatures, those that are not found as well where the other parts of the seam meet: an attack may be split over these. */
function withoutThoseBeside(
  signatures: ReadonlySet<string>,
  owner: Passage,
  seam: Seam,
  findingsIn: (passage: Passage) => readonly Finding[] | null,
): ReadonlySet<string> {
  const parts = seam.parts.filter((part) => part !== owner);
  if (parts.length < 2 || signatures.size === 0) return signatures;
  const left = new Set(signatures);
  for (const unit of unitsOfSeam({ ...seam, parts })) {
    const found = findingsIn({ ...unit, message: owner.message });
    if (found === null) return new Set();
    for (const { signature } of found) left.delete(signature);
  }
  return left;
}

/**
 * Whether all the other parts are names or numbers of fields that hold no text, such as that of the call that a tool
 * answers. Parts of one message are read as one text otherwise, and what is spared is whole texts.
 */
function isAlone(passage: Passage, { parts }: Seam): boolean {
  return parts.every((part) => part === passage || (part.where === SMALL_STRINGS && NAME.test(part.text)));
}

const NAME = /^[\w.:-]{0,80}$/;
