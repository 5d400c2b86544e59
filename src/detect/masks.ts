import type { Finding } from '../domain/finding.ts';
import { patched, type Patch, type Placed } from '../domain/stream.ts';
import { offsetsIn, placesIn } from '../wire/literals.ts';
import { piecesOf, type Framing } from '../wire/pieces.ts';
import { placesOf } from './confirm.ts';
import type { Rule, Ruleset } from './ruleset.ts';

/**
 * Replacing what a signature matched. Only what stands in the open and is the secret itself can be replaced: of a private key
 * the patterns match the first line, and what was decoded has no place of its own. The rest stays a finding.
 */

/** The rules whose matches can be replaced. */
export function maskableRules(ruleset: Ruleset, findings: readonly Finding[]): Rule[] {
  const ids = new Set(findings.filter(isOpen).map(({ signature }) => signature));
  if (ids.size === 0) return [];
  return ruleset.rules.filter((rule) => ids.has(rule.signature.id) && isMaskable(rule));
}

function isMaskable({ signature, proofs }: Rule): boolean {
  return proofs.length > 0 && signature.check !== 'private-key';
}

function isOpen({ category, via }: Finding): boolean {
  return category === 'sensitive-data' && via.length === 0;
}

export interface Match {
  readonly rule: Rule;
  readonly start: number;
  readonly end: number;
}

const ROUNDS = 3;
/** In one text and round; where there are more, the rest stays a finding. */
const MOST_MATCHES = 256;

/**
 * Offers each match for replacement, the surest first, and returns the text with those that were taken filled. Once more after
 * that: what a wider pattern saw around a narrow one may still be there, and then goes as well.
 */
export function fill(rules: readonly Rule[], text: string, take: (match: Match) => boolean): string {
  let rest = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    let taken = 0;
    for (const match of matchesIn(rules, rest)) {
      if (!take(match)) continue;
      taken += 1;
      // Letters that stand for what was replaced, so that the places of all others stay the same.
      rest = rest.slice(0, match.start) + '*'.repeat(match.end - match.start) + rest.slice(match.end);
    }
    if (taken === 0) break;
  }
  return rest;
}

/** In characters, and none touching another. */
function matchesIn(rules: readonly Rule[], text: string): Match[] {
  const bytes = Buffer.from(text);
  const ascii = bytes.length === text.length;
  const at = (byte: number): number => (ascii ? byte : bytes.toString('utf8', 0, byte).length);
  const apart: Match[] = [];
  for (const rule of [...rules].sort((a, b) => b.signature.confidence - a.signature.confidence)) {
    for (const place of placesOf(rule, bytes)) {
      const start = at(place.start);
      let end = at(place.end);
      // A pattern may stop counting before the token ends.
      while (end < text.length && TOKEN.test(text[end]!)) end += 1;
      if (apart.length >= MOST_MATCHES) return apart;
      if (apart.every((other) => end <= other.start || start >= other.end)) apart.push({ rule, start, end });
    }
  }
  return apart;
}

const TOKEN = /[A-Za-z0-9_+/=-]/;

function labelOf({ signature }: Rule): string {
  return `[REDACTED:${signature.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 48)}]`;
}

/**
 * The patches that take a stretch of a channel out of its frames: the first that can still be changed gets the label, the others
 * lose their part. Null when one of them cannot be changed at the right place.
 */
export function patchesFor(match: Match, from: number, pieces: readonly Placed[], firstFrame: number): Patch[] | null {
  const patches: Patch[] = [];
  const start = from + match.start;
  const end = from + match.end;
  for (const piece of pieces) {
    const first = Math.max(0, start - piece.from);
    const last = Math.min(piece.text.length, end - piece.from);
    if (first >= last || piece.frame < firstFrame) continue;
    const offsets = piece.literal === null ? null : offsetsIn(piece.literal.raw, shown(piece));
    if (piece.literal === null || offsets === null) return null;
    const { byte, raw } = piece.literal;
    const to = Math.min(last, offsets.length - 1);
    patches.push({
      frame: piece.frame,
      start: byte + Buffer.byteLength(raw.slice(0, offsets[first])),
      end: byte + Buffer.byteLength(raw.slice(0, offsets[to])),
      text: patches.length === 0 ? labelOf(match.rule) : '',
      signature: match.rule.signature.id,
    });
  }
  return patches.length === 0 ? null : patches;
}

/** The text without the line end that small strings are joined with. */
function shown({ channel, text }: Placed): string {
  return channel.includes(' small ') ? text.slice(0, -1) : text;
}

/** A whole body with the matches of these signatures replaced. What could not be replaced is still there: judge what comes back. */
export function maskBody(
  ruleset: Ruleset,
  body: Buffer,
  framing: Framing,
  signatures: readonly string[],
): { readonly bytes: Buffer; readonly count: number } {
  const text = body.toString('utf8');
  const ids = new Set(signatures);
  const rules = ruleset.rules.filter((rule) => ids.has(rule.signature.id) && isMaskable(rule));
  const pieces = piecesOf(text, framing).filter(({ nested }) => !nested);
  const places = placesIn(text, body.length, pieces);
  const patches: Patch[] = [];
  let count = 0;
  for (const [index, { channel, text }] of pieces.entries()) {
    const placed: Placed = { frame: 0, channel, from: 0, text, literal: places[index]! };
    fill(rules, text, (match) => {
      const made = patchesFor(match, 0, [placed], 0);
      if (made === null) return false;
      patches.push(...made);
      count += 1;
      return true;
    });
  }
  return { bytes: patched(body, patches), count };
}
