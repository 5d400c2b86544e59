/**
 * Any list of words is met in honest texts, too: "Talk to Dan about the meeting", "the doctor says you have no
 * restrictions". Such a text resembles no attack, and what attacks a model says more than the words of one signature. So of
 * what the bundled signatures find in a text, only as much counts as the rest of it supports, if the models judge such texts
 * at all: those of users, tools, documents and unknown authors.
 */
import { LENIENT_ROLES, type Role } from '../domain/passage.ts';
import { isShipped, type Signature } from '../domain/signature.ts';
import type { Category } from '../domain/verdict.ts';
import { folded } from '../text/decoders/folded.ts';

/**
 * How far a text may be from resembling attacks (likeness/score.ts) before a finding in it counts for less; Infinity for
 * one that always counts in full. That is one of an operator's own signatures, which are to be found wherever they stand,
 * of requests in plain words, which resemble no attack, and of what was hidden, which nobody does in honest text. Accents
 * hide nothing.
 */
export function toleratedLack(
  signature: Pick<Signature, 'plain' | 'language' | 'confidence' | 'category' | 'source'>,
  role: Role,
  via: readonly string[],
): number {
  if (LENIENT_ROLES.has(role)) return Infinity;
  const { plain, confidence, category, language } = signature;
  if (plain === true || confidence >= CERTAIN || !CATEGORIES.has(category) || !isShipped(signature)) return Infinity;
  if (via.some((name) => name !== folded.name)) return Infinity;
  if (language === undefined) return TOLERATED;
  return isLearned(language) ? TOLERATED_ABROAD : Infinity;
}

const CERTAIN = 0.95;
const CATEGORIES: ReadonlySet<Category> = new Set<Category>(['prompt-injection', 'jailbreak']);

const TOLERATED = 0.5;
/**
 * Of a text in another language the models know fewer words, and attacks score nearly as low as honest text. Of these
 * languages they have learned some, and of all others nothing, so that a low score says nothing.
 */
const TOLERATED_ABROAD = 1.4;
const LEARNED: ReadonlySet<string> = new Set('de nl fr it es pt pl ru uk tr ar hi hi-latn id vi zh ja ko'.split(' '));

/** Whether the models have learned attacks and honest texts of this language, other than English. */
export function isLearned(language: string): boolean {
  return LEARNED.has(language);
}

/** Many signs are an attack even in text that looks honest: it may be in words that no model has met. */
const LEAST_SUPPORT = 0.3;

/** The confidence in a text that lacks so much more than is tolerated: the doubt that it removes becomes smaller. */
export function supported(confidence: number, lacking: number): number {
  if (lacking <= 0) return confidence;
  const support = Math.max(LEAST_SUPPORT, 1 - lacking);
  return Math.round(1e4 - 1e4 * (1 - confidence) ** support) / 1e4;
}
