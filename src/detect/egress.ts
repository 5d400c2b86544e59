import type { Finding } from '../domain/finding.ts';
import type { Forbidden } from '../domain/job.ts';
import { OPERATOR_ROLES, type Passage } from '../domain/passage.ts';
import type { Shapes } from '../text/asked.ts';
import { fold } from '../text/fold.ts';
import { budgetFor, readings } from '../text/readings.ts';
import type { Ruleset } from './ruleset.ts';
import { entropyOf, isStandIn } from './validators/secret-shape.ts';
import { NO_SHAPES, shapesOfText } from './shapes.ts';

/**
 * Checks what leaves: secrets that the application keeps in its instructions, and canaries that its operator planted,
 * must not come back in an answer.
 */

const MOST_SECRETS = 32;
const LEAST_CHARS = 16;
const MOST_CHARS = 256;
const LEAST_ENTROPY = 3.2;
/** Least changes between letters and digits. Names of models and versions have one or two; a random string has many. */
const LEAST_CHANGES = 4;

/** URLs are there to be repeated, unless they hold login data (`user:password@host`). */
const ADDRESS = /\bhttps?:\/\/[^\s"'<>?@]{1,2048}(?![^\s"'<>]{0,256}@)/g;
const WORD = /[A-Za-z0-9_\-+/=.~]{16,}/g;

/** The tokens in the instructions of a request that look random rather than written. */
export function secretsIn(passages: readonly Passage[]): string[] {
  const found = new Set<string>();
  for (const { text, role } of passages) {
    if (!OPERATOR_ROLES.has(role)) continue;
    for (const [word] of text.replace(ADDRESS, ' ').matchAll(WORD)) {
      const token = word.replace(/^[./+=~-]+|[.~=]+$/g, '');
      if (token.length <= MOST_CHARS && isDrawn(token)) found.add(token);
      if (found.size >= MOST_SECRETS) return [...found];
    }
  }
  return [...found];
}

function isDrawn(token: string): boolean {
  const runs = token.match(/[A-Za-z0-9]+/g) ?? [];
  return (
    runs.some((run) => run.length >= LEAST_CHARS && changesIn(run) >= LEAST_CHANGES) &&
    entropyOf(token) >= LEAST_ENTROPY &&
    !isStandIn(token)
  );
}

function changesIn(run: string): number {
  let changes = 0;
  for (let at = 1; at < run.length; at += 1) if (isDigit(run[at]!) !== isDigit(run[at - 1]!)) changes += 1;
  return changes;
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}

export type Leaks =
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] }
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'cancelled' };

/** Looks for the forbidden texts in every reading of the answer. Letter case makes no difference. */
export function leaksIn(
  ruleset: Ruleset,
  passages: readonly Passage[],
  forbidden: Forbidden,
  cancelled: () => boolean,
): Leaks {
  const wanted = [
    ...forbidden.canaries.map((text) => ({ needles: needlesOf(text), ...CANARY })),
    ...forbidden.secrets.map((text) => ({ needles: needlesOf(text), ...PROMPT_SECRET })),
  ];
  const findings = new Map<string, Finding>();
  const shapes: Shapes = (part) => shapesOfText(ruleset, Buffer.from(part), cancelled) ?? NO_SHAPES;
  const budget = budgetFor(passages.reduce((sum, { text }) => sum + text.length, 0));
  for (const { text, role, where } of passages) {
    if (cancelled()) return { kind: 'cancelled' };
    const unfolded = readings(text, shapes, budget, undefined, cancelled);
    if (cancelled()) return { kind: 'cancelled' };
    if (unfolded.exhausted) return { kind: 'exhausted' };
    for (const reading of unfolded.readings) {
      const hay = reading.text.toLowerCase();
      for (const { needles, signature, name } of wanted) {
        if (findings.has(signature)) continue;
        // Asked for each text: finding a thousand in a megabyte takes a third of a second, and there are several
        // readings.
        if (cancelled()) return { kind: 'cancelled' };
        if (!needles.some((needle) => hay.includes(needle))) continue;
        findings.set(signature, {
          signature,
          name,
          category: 'sensitive-data',
          confidence: 1,
          role,
          where,
          via: reading.via,
        });
      }
    }
  }
  return { kind: 'findings', findings: [...findings.values()] };
}

/**
 * What a whole answer says in one place after another, as one text: in its parts, or in the lines and events of a stream
 * that was sent as a whole. Whoever reads the answer puts them together with nothing between them.
 */
export function continued(passages: readonly Passage[]): Passage[] {
  const rows = new Map<string, Passage[]>();
  for (const passage of passages) {
    const place = `${passage.role} ${passage.where.replaceAll(/\d+/g, '')}`;
    const row = rows.get(place);
    if (row === undefined) rows.set(place, [passage]);
    else row.push(passage);
  }
  return [...rows.values()]
    .filter((row) => row.length > 1)
    .map((row) => {
      const { role, where, message } = row[0]!;
      return { text: row.map(({ text }) => text).join(''), role, where, message };
    });
}

export const CANARY = { signature: 'egress:canary', name: 'Canary' };
export const PROMPT_SECRET = { signature: 'egress:prompt-secret', name: 'Secret of the system prompt' };

/** The text as it was written, and folded, as it is in a reading whose disguises were undone. */
function needlesOf(text: string): string[] {
  return [...new Set([text.toLowerCase(), fold(text).toLowerCase()])].filter((needle) => needle !== '');
}

/**
 * Lower case with every character at its old offset, and the same for each character wherever a text is cut. Where lower
 * case would be longer (`İ` becomes two units) or depends on what follows (`Σ`), characters are lowered one by one, and
 * those that would grow stay as they are.
 */
export function lowered(text: string): string {
  const low = text.toLowerCase();
  if (low.length === text.length && !text.includes('Σ')) return low;
  return text
    .replace(/[^\x00-\x7f]/gu, (char) => {
      const small = char.toLowerCase();
      return small.length === char.length ? small : char;
    })
    .replace(/[A-Z]/g, (char) => char.toLowerCase());
}

/**
 * How far a growing text can be judged without cutting a forbidden text in two, or what may still become one. A stream
 * that lets the first words of one go has leaked half of it. Less than `least` characters of one do not count.
 */
export function uncut({ canaries, secrets }: Forbidden, text: string, boundary: number, least = 1): number {
  let most = boundary;
  for (const needle of [...canaries, ...secrets]) {
    const word = lowered(needle);
    const from = Math.max(0, boundary - word.length + 1);
    const tail = lowered(text.slice(from));
    for (
      let at = tail.indexOf(word.charAt(0));
      at !== -1 && from + at < most;
      at = tail.indexOf(word.charAt(0), at + 1)
    )
      if (tail.length - at >= least && word.startsWith(tail.slice(at, at + word.length))) most = from + at;
  }
  return most;
}
