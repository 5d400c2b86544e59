import type { Finding } from '../domain/finding.ts';
import type { Forbidden } from '../domain/job.ts';
import { placesOf } from './confirm.ts';
import { CANARY, PROMPT_SECRET } from './egress.ts';
import { endOfKey } from './key-block.ts';
import type { Rule } from './rule.ts';
import type { Ruleset } from './ruleset.ts';

/**
 * What can be replaced, and where it stands. Only what is the secret itself: of a rule without proofs, the pattern is words beside
 * the secret, and hiding those would hide nothing.
 */
export interface Finder {
  /** The signature of the findings that it accounts for. */
  readonly id: string;
  readonly label: string;
  readonly confidence: number;
  readonly places: (text: string) => Iterable<Stretch>;
}

/** In characters. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  /** It did not end with the text: what follows belongs to it. */
  readonly open: boolean;
}

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
    const needles = texts.map((text) => text.toLowerCase()).filter((text) => text !== '');
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

/** Those that may account for some of these findings. */
export function idsOf(findings: readonly Finding[]): Set<string> {
  return new Set(findings.filter(({ category }) => category === 'sensitive-data').map(({ signature }) => signature));
}

const TOKEN = /[A-Za-z0-9_+/=-]/;

function* placesOfRule(rule: Rule, text: string): Generator<Stretch> {
  const bytes = Buffer.from(text);
  const ascii = bytes.length === text.length;
  const at = (byte: number): number => (ascii ? byte : bytes.toString('utf8', 0, byte).length);
  for (const place of placesOf(rule, bytes)) {
    const start = at(place.start);
    let end = at(place.end);
    if (rule.signature.check === 'private-key') {
      const last = endOfKey(text, start);
      yield { start, end: last ?? text.length, open: last === null };
      continue;
    }
    // A pattern may stop counting before the token ends.
    while (end < text.length && TOKEN.test(text[end]!)) end += 1;
    yield { start, end, open: false };
  }
}

function* placesOfWords(needles: readonly string[], text: string): Generator<Stretch> {
  const low = lowered(text);
  for (const needle of needles)
    for (let start = low.indexOf(needle); start !== -1; start = low.indexOf(needle, start + needle.length))
      yield { start, end: start + needle.length, open: false };
}

/** Letter by letter where one of them would become two: the places must stay what they are. */
function lowered(text: string): string {
  const low = text.toLowerCase();
  if (low.length === text.length) return low;
  return text
    .replace(/[^\x00-\x7f]/g, (char) => {
      const small = char.toLowerCase();
      return small.length === char.length ? small : char;
    })
    .replace(/[A-Z]/g, (char) => char.toLowerCase());
}

function labelOf(name: string): string {
  return `[REDACTED:${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 48)}]`;
}
