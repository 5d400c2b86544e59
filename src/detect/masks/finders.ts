import type { Forbidden } from '../../domain/job.ts';
import { placesOf } from '../confirm/confirm.ts';
import { CANARY, lowered, PROMPT_SECRET } from '../egress.ts';
import { endOfSecret } from './end-of-secret.ts';
import { endOfKeyIn } from './key-block.ts';
import type { Rule } from '../rule.ts';
import type { Ruleset } from '../ruleset.ts';
import { notInEscape, valueWithin } from './value-within.ts';

/**
 * Finds what masking can replace. Only rules with proofs have a finder, since their match is the secret itself. A rule
 * without proofs matches words beside a secret, and hiding those words would hide nothing.
 */
export interface Finder {
  /** The signature whose findings this finder accounts for. */
  readonly id: string;
  readonly label: string;
  readonly confidence: number;
  readonly places: (text: string) => Iterable<Stretch>;
}

/** A range of a text, in characters. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  /** The match was not complete when the text ended: what follows belongs to it as well. */
  readonly open: boolean;
}

/** Finders for the signatures in `ids`, and for the forbidden texts (canaries and secrets of the system prompt). */
export function findersFor(ruleset: Ruleset, ids: ReadonlySet<string>, forbidden: Forbidden | null): Finder[] {
  const finders: Finder[] = [];
  for (const rule of ruleset.rules) {
    const { id, name, category, confidence } = rule.signature;
    if (!ids.has(id) || category !== 'sensitive-data' || !rule.isProven) continue;
    finders.push({ id, label: labelOf(name), confidence, places: (text) => placesOfRule(rule, text) });
  }
  if (forbidden === null) return finders;
  for (const [{ signature, name }, texts] of [
    [CANARY, forbidden.canaries],
    [PROMPT_SECRET, forbidden.secrets],
  ] as const) {
    const needles = texts.map(lowered).filter((text) => text !== '');
    if (!ids.has(signature) || needles.length === 0) continue;
    finders.push({
      id: signature,
      label: labelOf(name),
      confidence: 1,
      places: (text) => placesOfWords(needles, text),
    });
  }
  return finders;
}

function* placesOfRule(rule: Rule, text: string): Generator<Stretch> {
  const bytes = Buffer.from(text);
  const ascii = bytes.length === text.length;
  const at = (byte: number): number => (ascii ? byte : bytes.toString('utf8', 0, byte).length);
  for (const place of placesOf(rule, bytes)) {
    const start = at(place.start);
    if (rule.signature.check === 'private-key') {
      yield { start, ...endOfKeyIn(text, start) };
      continue;
    }
    const match = text.slice(start, at(place.end));
    const value = valueWithin(match, rule.signature.check);
    const range = { start: notInEscape(text, start + value.start), end: start + value.end };
    yield { start: range.start, end: endOfSecret(text, range, rule.signature.check), open: false };
  }
}

function* placesOfWords(needles: readonly string[], text: string): Generator<Stretch> {
  const low = lowered(text);
  for (const needle of needles)
    for (let start = low.indexOf(needle); start !== -1; start = low.indexOf(needle, start + needle.length))
      yield { start, end: start + needle.length, open: false };
}

function labelOf(name: string): string {
  return `[REDACTED:${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 48)}]`;
}
