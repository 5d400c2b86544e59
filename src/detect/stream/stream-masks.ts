import type { Finding } from '../../domain/finding.ts';
import {
  applyPatches,
  type Channel,
  type MaskedKey,
  type Patch,
  type PlacedPiece,
  type StreamJob,
} from '../../domain/stream.ts';
import { piecesOf } from '../../wire/pieces.ts';
import { findersFor } from '../masks/finders.ts';
import { endOfKeyAfter, restOfKey, tailOfKey } from '../masks/key-block.ts';
import { fill, patchesFor } from '../masks/masks.ts';
import type { Ruleset } from '../ruleset.ts';
import { readJudged, type Judged } from './stream-read.ts';

/** Replaces values in a step of a stream, in the frames that still wait. What is left is read again. */

interface Range {
  readonly start: number;
  readonly end: number;
}

/** For each channel, the ranges that were replaced, counted from the beginning of the channel. */
type Filled = ReadonlyMap<string, Range[]>;

export interface MaskedStep {
  /** Still present once the patches are applied. */
  readonly findings: readonly Finding[];
  readonly patches: readonly Patch[];
}

/** Masks what was found in the judged passages. `channels` is updated to what the channels say after it. */
export function maskJudged(
  ruleset: Ruleset,
  job: StreamJob & { readonly maskFrom: number },
  found: readonly Finding[],
  judged: readonly Judged[],
  placed: readonly PlacedPiece[],
  frames: readonly Buffer[],
  channels: Map<string, Channel>,
  cancelled: () => boolean,
): MaskedStep {
  const masked = new Set(job.maskedSignatures);
  const wanted = new Set(found.map(({ signature }) => signature).filter((id) => masked.has(id)));
  const finders = findersFor(ruleset, wanted, job.forbidden);
  const openKeyBlocks = new Map(
    [...channels].flatMap(([name, { maskedKeyBlock }]) =>
      maskedKeyBlock === null ? [] : ([[name, maskedKeyBlock]] as [string, MaskedKey][]),
    ),
  );
  if (finders.length === 0 && openKeyBlocks.size === 0) return { findings: found, patches: [] };
  /** What cannot be read again is not masked: the values that were found, and the rest of a key, are still there. */
  const unmasked = [...found, ...[...openKeyBlocks.values()].map(({ finding }) => finding)];

  const patches: Patch[] = [];
  const stuck: Finding[] = [];
  const filled = new Map<string, Range[]>();
  for (const { passage, channel, from, fresh } of judged) {
    if (cancelled()) return { findings: unmasked, patches: [] };
    const ranges = filled.get(channel) ?? [];
    filled.set(channel, ranges);
    const reach = from + passage.text.length;
    const mine = placed.filter(
      (piece) => piece.channel === channel && piece.from < reach && piece.from + piece.text.length > from,
    );
    const take = (label: string, start: number, end: number): boolean => {
      const made = patchesFor({ label, start, end }, mine, job.maskFrom);
      if (made === null) return false;
      patches.push(...made);
      ranges.push({ start, end });
      return true;
    };
    // The channel is inside a private key whose beginning was replaced: the rest goes as well, up to its end.
    const openKeyBlock = openKeyBlocks.get(channel);
    if (openKeyBlock !== undefined && fresh < reach) {
      const { finding, tail } = openKeyBlock;
      const last = endOfKeyAfter(tail, passage.text, fresh - from);
      if (!take('', fresh, last === null ? reach : from + last)) stuck.push(finding);
      if (last !== null) openKeyBlocks.delete(channel);
      else openKeyBlocks.set(channel, { finding, tail: tailOfKey(tail + passage.text.slice(fresh - from)) });
    } else if (openKeyBlocks.size > 0 && fresh === 0 && channels.get(channel)?.kind === 'text') {
      // A text that begins while a key is open elsewhere may go on with it: the next block of a message does.
      const { finding } = [...openKeyBlocks.values()][0]!;
      const { end, open } = restOfKey(passage.text);
      if (end > 0 && !take('', 0, end)) stuck.push(finding);
      if (end > 0 && open) openKeyBlocks.set(channel, { finding, tail: tailOfKey(passage.text) });
    }
    // If a channel is judged twice, the later passage repeats the end of the earlier one.
    fill(finders, blanked(passage.text, from, ranges), ({ id, label, start, end, open }) => {
      if (!take(label, from + start, from + end)) return false;
      const finding = open ? found.find(({ signature }) => signature === id) : undefined;
      if (finding !== undefined) openKeyBlocks.set(channel, { finding, tail: tailOfKey(passage.text) });
      return true;
    });
  }
  for (const [name, channel] of channels)
    channels.set(name, {
      ...channel,
      text: blanked(channel.text, channel.droppedChars, filled.get(name) ?? []),
      maskedKeyBlock: openKeyBlocks.get(name) ?? null,
    });

  const left = readJudged(ruleset, remasked(judged, filled, frames, patches, job), job.forbidden, cancelled);
  if (left.kind !== 'findings') return { findings: unmasked, patches: [] };
  return { findings: [...left.findings, ...stuck], patches };
}

/** The same texts, as they will be once the patches are applied. */
function remasked(
  judged: readonly Judged[],
  filled: Filled,
  frames: readonly Buffer[],
  patches: readonly Patch[],
  job: StreamJob,
): Judged[] {
  const texts = judged.flatMap((one) => {
    const { passage, channel, from } = one;
    if (isNested(one)) return [];
    const text = blanked(passage.text, from, filled.get(channel) ?? []);
    return [{ ...one, undisguised: false, passage: { ...passage, text } }];
  });
  // A document inside a string has no place of its own in the frame: it is read again from the frame as that will go
  // out.
  for (const [index, frame] of frames.entries()) {
    const number = job.state.frames + index;
    const mine = patches.filter((patch) => patch.frame === number);
    const text = (mine.length === 0 ? frame : applyPatches(frame, mine)).toString('utf8');
    for (const piece of piecesOf(text, job)) {
      if (!piece.nested) continue;
      const { role, where } = piece;
      texts.push({
        channel: piece.channel,
        from: 0,
        fresh: 0,
        undisguised: false,
        passage: { text: piece.text, role, where, message: 0 },
      });
    }
  }
  return texts;
}

function isNested({ passage }: Judged): boolean {
  return passage.where.endsWith('>');
}

function blanked(text: string, from: number, ranges: readonly Range[]): string {
  let out = text;
  for (const range of ranges) {
    const start = Math.max(0, range.start - from);
    const end = Math.min(out.length, range.end - from);
    if (start < end) out = out.slice(0, start) + '*'.repeat(end - start) + out.slice(end);
  }
  return out;
}
