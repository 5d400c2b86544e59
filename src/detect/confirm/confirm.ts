import { hasDenseRun } from './dense.ts';
import { firstGroupOf, withoutFirstGroups } from './first-groups.ts';
import { isBehindPoint, isOnlyDigits } from './fraction.ts';
import type { Rule } from '../rule.ts';
import type { Ruleset } from '../ruleset.ts';
import type { Ranges } from '../glance/sightings.ts';
import { NEEDS_RUN } from '../validators/index.ts';
import type { Sight } from '../glance/waiting.ts';
import { SLICE } from '../engine/windows.ts';

/**
 * The second look at rules whose words only suggest a match: the full pattern must match, and the match must pass the
 * rule's own check, a checksum or the look of a secret. Null when cancelled.
 *
 * As a rule, each is tried where its words stand. When that would come to many passes over the text, a set is asked
 * first, region by region. Otherwise a sender who lists the prefix of every service would get one pass for each of
 * them.
 */
export function confirmed(
  ruleset: Ruleset,
  sighted: readonly (readonly [Sight, Ranges])[],
  text: string,
  cancelled: () => boolean,
): Rule[] | null {
  const proven = new Set<Rule>();
  if (sighted.length === 0) return [];
  let work = 0;
  for (const [, ranges] of sighted) for (const [from, to] of ranges) work += to - from;
  if (work > FREE_WORK + PASSES * text.length) return confirmedByRegion(ruleset, sighted, text, cancelled);
  for (const [sight, ranges] of sighted) {
    if (cancelled()) return null;
    const { rule } = sight;
    if (!proven.has(rule) && holdsIn(rule, proofsOf(sight), ranges, text)) proven.add(rule);
  }
  return [...proven];
}

const PASSES = 4;
const FREE_WORK = 4096;
const REGION = 2048;
/**
 * Nobody writes this many kinds of secrets into one text but to list them, or to make us try them all. Beyond this
 * number the pattern alone is enough, without the check: if the limit decided the other way, it would be a place to
 * hide.
 */
const MOST = 32;
/** More characters than any pattern may span: what a cut falls into lies whole on one side of the cut. */
const LONGEST = 512;

/** A rule without keys was seen by one of its patterns, and only the proof of that pattern is tried. */
function proofsOf({ rule, what }: Sight): Rule['proofs'] {
  if (rule.signature.keys !== undefined || typeof what !== 'number') return rule.proofs;
  return rule.proofs.filter((_, i) => rule.patterns[i] === what);
}

function confirmedByRegion(
  ruleset: Ruleset,
  sighted: readonly (readonly [Sight, Ranges])[],
  text: string,
  cancelled: () => boolean,
): Rule[] | null {
  const wanted = new Set(sighted.map(([{ rule }]) => rule));
  const plausible = new Map<Rule, [from: number, to: number][]>();
  for (let start = 0; start < text.length; start += REGION - LONGEST) {
    if (cancelled()) return null;
    const end = Math.min(text.length, start + REGION);
    for (const rule of ruleset.provableIn(Buffer.from(text.slice(start, end)), wanted)) {
      if (!wanted.has(rule)) continue;
      const ranges = plausible.get(rule);
      const last = ranges?.at(-1);
      if (ranges === undefined) plausible.set(rule, [[start, end]]);
      else if (last !== undefined && last[1] >= start) last[1] = end;
      else ranges.push([start, end]);
    }
    if (end === text.length) break;
  }
  if (plausible.size > MOST) return [...plausible.keys()];
  const proven: Rule[] = [];
  for (const [rule, ranges] of plausible) {
    if (cancelled()) return null;
    if (holdsIn(rule, rule.proofs, ranges, text)) proven.push(rule);
  }
  return proven;
}

function holdsIn(rule: Rule, proofs: Rule['proofs'], ranges: Ranges, text: string): boolean {
  const { check } = rule.signature;
  const needsRun = check !== undefined && NEEDS_RUN.has(check);
  for (const [from, to] of ranges) {
    if (needsRun && !hasDenseRun(text, from, to)) continue;
    for (let start = from; start < to; start += SLICE - LONGEST) {
      const end = Math.min(to, start + SLICE);
      if (proofs.some((proof) => holds(rule, proof, text, start, end))) return true;
      if (end === to) break;
    }
  }
  return false;
}

/**
 * Checks all matches of a part in one call, as text. A call for each match would cost ten times as much, and hostile
 * text is made of matches that fail. A match that touches a cut may be a part of something longer, which need not be
 * real: the part is then read once more with so much beyond the cut that the match lies whole in it.
 */
function holds(
  rule: Rule,
  proof: Rule['proofs'][number],
  text: string,
  from: number,
  to: number,
  more = true,
): boolean {
  let isCutBefore = false;
  let isCutBehind = false;
  let part = text.slice(from, to);
  for (let round = 0; round < MOST_GROUPS; round += 1) {
    const matches = part.match(proof);
    if (matches === null) break;
    const cutBefore = from > 0 && part.startsWith(matches[0]);
    const cutBehind = to < text.length && part.endsWith(matches.at(-1)!);
    isCutBefore ||= cutBefore;
    isCutBehind ||= cutBehind;
    const last = matches.length - (cutBehind ? 1 : 0);
    let mayBeFraction = false;
    const grouped: string[] = [];
    for (let i = cutBefore ? 1 : 0; i < last; i += 1) {
      if (!rule.isReal(matches[i]!)) {
        if (firstGroupOf(matches[i]!) > 0) grouped.push(matches[i]!);
        continue;
      }
      if (!isOnlyDigits(matches[i]!)) return true;
      mayBeFraction = true;
    }
    // Only here it matters where the matches stand. That is asked of the bytes: strings would be converted for each match.
    if (mayBeFraction) {
      const bytes = Buffer.from(part);
      for (const { start, end } of placesOf(rule, bytes))
        if (!(from > 0 && start === 0) && !(to < text.length && end === bytes.length)) return true;
    }
    if (grouped.length === 0) break;
    part = withoutFirstGroups(part, grouped);
  }
  if (!more || !(isCutBefore || isCutBehind)) return false;
  const beyond = rule.longestProof + BLANKS;
  const wider = [isCutBefore ? Math.max(0, from - beyond) : from, isCutBehind ? to + beyond : to] as const;
  return holds(rule, proof, text, wider[0], Math.min(text.length, wider[1]), false);
}

/** Times that a part is looked at again behind groups that began no number: more than any number has groups. */
const MOST_GROUPS = 8;

/** Blanks that a match may hold more than its pattern shows. */
const BLANKS = 64;

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Every place where a pattern of the rule matches and its check agrees, as byte offsets: what masking replaces. */
export function* placesOf(rule: Rule, bytes: Buffer): Generator<Place> {
  for (const proof of rule.proofs) {
    proof.lastIndex = 0;
    try {
      for (let found = proof.exec(bytes); found !== null; found = proof.exec(bytes)) {
        const match = found[0] as unknown as Buffer;
        const place = { start: found.index, end: found.index + match.length };
        const next = proof.lastIndex;
        const said = match.toString();
        const isReal = rule.isReal(said);
        if (isReal && !(isOnlyDigits(said) && isBehindPoint(bytes, place.start))) yield place;
        const group = isReal ? 0 : firstGroupOf(said);
        proof.lastIndex = group > 0 ? place.start + group : next;
      }
    } finally {
      // Whoever has seen enough leaves in the middle, and the engine would look for the next text's matches from there.
      proof.lastIndex = 0;
    }
  }
}
