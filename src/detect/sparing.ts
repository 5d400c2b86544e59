import type { Finding } from '../domain/finding.ts';
import type { Passage } from '../domain/passage.ts';
import type { Place } from '../domain/place.ts';
import type { createFindings } from './findings.ts';
import { isForOtherSystem } from './other-system.ts';
import type { Offsets } from './places.ts';
import { isPlainRequest } from './plain-requests.ts';
import type { Resembling } from './resemblance.ts';
import { isOfTurns } from './seams.ts';
import type { Seam } from './seams.ts';
import { sentencesIn } from './sentences.ts';

interface Found {
  readonly findings: ReturnType<typeof createFindings>;
  readonly alike: Resembling | null;
}

/** Of longer texts the sentences are not looked through. */
const MOST_CHARACTERS = 65_536;

/**
 * Drops what was found in honest texts that have the words of attacks. Only texts in which something was found are
 * compared with the vocabularies, which costs more than to find nothing. Where turns meet, or where a message tells the
 * name of a call beside its text, what such a text holds is found once more, and dropped there, too.
 */
export function dropSpared(owners: readonly (Passage | Seam)[], offsets: Offsets, { findings, alike }: Found): void {
  const seams = owners.filter((owner) => 'parts' in owner);
  for (const owner of owners) {
    if (!('text' in owner) || (!findings.has(owner) && !alike?.has(owner))) continue;
    const found = findings.in(owner);
    const resembling = alike?.in(owner) ?? [];
    if (!isPlainRequest(owner) && !isOfOtherSystems(owner, offsets, found, resembling)) continue;
    const around = seams.filter(({ parts }) => parts.includes(owner));
    if (!around.every((seam) => isOfTurns(seam) || isAlone(owner, seam))) continue;
    const spared = new Set(found.map(({ signature }) => signature));
    for (const place of [owner, ...around]) findings.drop(place, spared);
    alike?.drop(owner);
  }
}

/**
 * Whether all the other parts are names or numbers, such as that of the call that a tool answers. Parts of one message
 * are read as one text otherwise, and what is spared is whole texts.
 */
function isAlone(passage: Passage, { parts }: Seam): boolean {
  return parts.every((part) => part === passage || NAME.test(part.text));
}

const NAME = /^[\w.:-]{0,80}$/;

/** A text that resembles attacks less than this resembles most manuals. */
const HARDLY = 0.35;

/**
 * Whether all that was found stands in sentences for the owners of another system. One finding beside them, and all of
 * them count: who sets instructions aside to give others gives them next to it.
 */
function isOfOtherSystems(
  passage: Passage,
  offsets: Offsets,
  found: readonly Finding[],
  resembling: readonly Finding[],
): boolean {
  if (found.length === 0 || passage.text.length > MOST_CHARACTERS) return false;
  const sentences = sentencesIn(passage.text).filter(([from, to]) => isForOtherSystem(passage.text.slice(from, to)));
  if (sentences.length === 0) return false;
  const reading = { text: passage.text, via: [] };
  const unit = { unit: passage, seam: null };
  const spared = sentences.flatMap((sentence) => offsets.placesIn(unit, reading, [sentence]) ?? []);
  const telling = [...found, ...resembling.filter(({ confidence }) => confidence >= HARDLY)];
  return telling.every(({ places }) => places?.every((place) => spared.some((sentence) => isWithin(place, sentence))));
}

function isWithin(place: Place, other: Place): boolean {
  return place[0] >= other[0] && place[1] <= other[1];
}
