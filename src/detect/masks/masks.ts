import type { Forbidden } from '../../domain/job.ts';
import { applyPatches, type Patch, type PlacedPiece } from '../../domain/stream.ts';
import { literalsOf, literalTextOf, rawOffsetsOf } from '../../wire/literals.ts';
import { piecesOf, type Framing } from '../../wire/pieces.ts';
import { findersFor, type Finder, type Stretch } from './finders.ts';
import { restOfKey } from './key-block.ts';
import type { Ruleset } from '../ruleset.ts';
import { foldedWithPlaces } from './folded.ts';
import { throughBoth, type PlacedText } from './placed-text.ts';
import { unescapedWithPlaces } from './unescaped.ts';

/**
 * Replaces what was found where it stands: as it is, or with its characters written as escapes or as signs that look like them.
 * Text that had to be decoded has no place of its own in the body. Nothing here reports what is left: the caller reads the result again,
 * and what is still found in it stays a finding.
 */

export interface Match extends Stretch {
  readonly id: string;
  readonly label: string;
}

const ROUNDS = 3;
/** Matches replaced in one text and round. Where there are more, the rest stay findings. */
const MOST_MATCHES = 256;

/**
 * Offers each match to `take`, the surest first, and returns the text with the taken ones overwritten by `*`. Then
 * starts over, up to ROUNDS times: a wider pattern that overlapped a narrow match may still match, and is then replaced
 * as well.
 */
export function fill(finders: readonly Finder[], text: string, take: (match: Match) => boolean): string {
  const inOrder = [...finders].sort((a, b) => b.confidence - a.confidence);
  let rest = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    let taken = 0;
    for (const match of matchesIn(inOrder, rest)) {
      if (!take(match)) continue;
      taken += 1;
      // As many characters as were replaced, so that all other offsets stay the same.
      rest = rest.slice(0, match.start) + '*'.repeat(match.end - match.start) + rest.slice(match.end);
    }
    if (taken === 0) break;
  }
  return rest;
}

/** Matches in the text and in its other forms, at offsets of the text. None overlaps another. */
function matchesIn(finders: readonly Finder[], text: string): Match[] {
  const forms = otherFormsOf(text);
  const apart: Match[] = [];
  for (const { id, label, places } of finders) {
    const add = ({ start, end, open }: Stretch): boolean => {
      if (apart.every((other) => end <= other.start || start >= other.end)) apart.push({ id, label, start, end, open });
      return apart.length < MOST_MATCHES;
    };
    for (const stretch of places(text)) if (!add(stretch)) return apart;
    for (const { text: form, origin } of forms)
      for (const { start, end, open } of places(form))
        if (!add({ start: origin(start), end: origin(end), open })) return apart;
  }
  return apart;
}

/** The text with its escapes undone, as the ASCII that it looks like, and both: where these differ from it. */
function otherFormsOf(text: string): PlacedText[] {
  const unescaped = unescapedWithPlaces(text);
  const folded = foldedWithPlaces(text);
  const both = unescaped === null ? null : foldedWithPlaces(unescaped.text);
  return [unescaped, folded, both === null ? null : throughBoth(unescaped!, both)].filter((form) => form !== null);
}

/**
 * The patches that take a range of a channel out of its frames. The first frame that can still be changed gets the
 * label, the others only lose their part. Null when one of them cannot be changed at the right place.
 */
export function patchesFor(
  { label, start, end }: Pick<Match, 'label' | 'start' | 'end'>,
  pieces: readonly PlacedPiece[],
  firstFrame: number,
): Patch[] | null {
  const patches: Patch[] = [];
  for (const piece of pieces) {
    const first = Math.max(0, start - piece.from);
    const last = Math.min(piece.text.length, end - piece.from);
    if (first >= last || piece.frame < firstFrame) continue;
    const offsets = piece.literal === null ? null : rawOffsetsOf(piece.literal.raw, literalTextOf(piece));
    if (piece.literal === null || offsets === null) return null;
    const { byte, raw } = piece.literal;
    const to = Math.min(last, offsets.length - 1);
    patches.push({
      frame: piece.frame,
      start: byte + Buffer.byteLength(raw.slice(0, offsets[first])),
      end: byte + Buffer.byteLength(raw.slice(0, offsets[to])),
      text: patches.length === 0 ? label : '',
    });
  }
  return patches.length === 0 ? null : patches;
}

/**
 * A whole body with the matches of these signatures replaced. It still holds what could not be replaced: judge the
 * result. Null where the rest of a key cannot be, which nobody would find without its first line.
 */
export function maskBody(
  ruleset: Ruleset,
  body: Buffer,
  framing: Framing,
  signatures: readonly string[],
  forbidden: Forbidden | null,
): { readonly bytes: Buffer; readonly count: number } | null {
  const text = body.toString('utf8');
  const finders = findersFor(ruleset, new Set(signatures), forbidden);
  const pieces = piecesOf(text, framing).filter(({ nested }) => !nested);
  const places = literalsOf(text, body.length, pieces);
  const patches: Patch[] = [];
  let count = 0;
  /** A key without its last line goes on in the next text: a part of a message, or a chunk of an answer. */
  let isKeyOpen = false;
  for (const [index, { channel, kind, text }] of pieces.entries()) {
    const placed: PlacedPiece = { frame: 0, channel, kind, from: 0, text, literal: places[index]! };
    const take = (match: Pick<Match, 'label' | 'start' | 'end'>): boolean => {
      const made = patchesFor(match, [placed], 0);
      if (made === null) return false;
      patches.push(...made);
      return true;
    };
    let rest = text;
    if (isKeyOpen && kind === 'text' && text.trim() !== '') {
      const { end, open } = restOfKey(text);
      if (end > 0 && !take({ label: '', start: 0, end })) return null;
      rest = '*'.repeat(end) + text.slice(end);
      isKeyOpen = open;
    }
    fill(finders, rest, (match) => {
      if (!take(match)) return false;
      if (match.open) isKeyOpen = true;
      count += 1;
      return true;
    });
  }
  return { bytes: applyPatches(body, patches), count };
}
