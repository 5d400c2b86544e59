import type { Finding } from '../../domain/finding.ts';
import type { Passage } from '../../domain/passage.ts';
import type { createFindings } from '../findings.ts';
import { keptOf, recalled } from '../found.ts';
import { withoutMentions } from './mentions.ts';
import { withoutSignatureIds } from './named-signatures.ts';
import type { Offsets } from '../places.ts';
import { LIKENESS, type Resembling } from '../resemblance.ts';
import { unitsOfSeam } from '../seams.ts';
import type { Seam } from '../seams.ts';

interface Into {
  readonly findings: ReturnType<typeof createFindings>;
  readonly alike: Resembling | null;
  readonly offsets: Offsets;
}

/** Of one body: what was found in further texts counts. Reading a text once more is not free. */
const MOST_READ_AGAIN = 8;
const MOST_CHARACTERS = 65_536;

/** What is known of the id of a signature. */
interface Known {
  /** Whether there is a signature with this id. */
  readonly isSignature: (id: string) => boolean;
  /** Whether the operator wrote it: such a one is found wherever it stands. */
  readonly isOperators: (id: string) => boolean;
}

/**
 * Judges texts that only name an attack, or a signature, or defend against it, by all the rest of them. What is found there
 * counts as it did. Only texts in which something was found are read again.
 */
export function judgeWithoutMentions(
  owners: readonly (Passage | Seam)[],
  { findings, alike, offsets }: Into,
  { isSignature, isOperators }: Known,
  findingsIn: (passage: Passage) => readonly Finding[] | null,
): void {
  const rests = new Map<Passage, Passage>();
  let characters = 0;
  for (const owner of owners) {
    if (!('text' in owner) || (!findings.has(owner) && !alike?.has(owner))) continue;
    characters += owner.text.length;
    if (rests.size === MOST_READ_AGAIN || characters > MOST_CHARACTERS) break;
    const named = withoutSignatureIds(owner.text, isSignature);
    const text = withoutMentions({ ...owner, text: named }) ?? named;
    if (text === owner.text) continue;
    const rest = { ...owner, text };
    const found = findingsIn(rest);
    if (found === null) continue;
    rests.set(owner, rest);
    findings.drop(owner, new Set(ofLibrary(findings.in(owner), isOperators)));
    alike?.drop(owner);
    const kept = keptOf(rest, found, NOWHERE);
    for (const finding of recalled({ kept, passage: owner, seam: null }, offsets))
      (finding.signature === LIKENESS ? alike : findings)?.again(owner, finding);
  }
  if (rests.size === 0) return;
  for (const owner of owners) {
    if ('text' in owner || !findings.has(owner) || !owner.parts.some((part) => rests.has(part))) continue;
    const dropped = new Set(ofLibrary(findings.in(owner), isOperators));
    const parts = owner.parts.map((part) => rests.get(part) ?? part);
    for (const unit of unitsOfSeam({ ...owner, parts })) {
      const found = findingsIn({ ...unit, message: parts[0]!.message });
      if (found === null) dropped.clear();
      for (const { signature } of found ?? []) dropped.delete(signature);
    }
    findings.drop(owner, dropped);
  }
}

/** A text that is read by itself begins at the beginning. */
const NOWHERE: Offsets = { placesIn: () => [[0, 0]] };

function ofLibrary(found: readonly Finding[], isOperators: (signature: string) => boolean): readonly string[] {
  return found.map(({ signature }) => signature).filter((signature) => !isOperators(signature));
}
