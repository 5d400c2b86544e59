import type { Role } from './passage.ts';
import type { Direction } from './job.ts';
import type { Category } from './verdict.ts';

/** A signature as an author wrote it: plain data, so that it can cross to the workers, where it is compiled and proven. */
export interface Signature {
  readonly id: string;
  readonly name: string;
  readonly category: Category;
  readonly confidence: number;
  /** Why such text is an attack, for the person who reads the entry. */
  readonly why: string;
  /** Any one of these matches by itself (RE2 syntax, no counted gaps). */
  readonly patterns: readonly string[];
  /** Patterns too dear to look for everywhere are tried only where one of these occurs. */
  readonly keys?: readonly string[];
  /** Letter case counts: a token's prefix in the wrong case is another word. */
  readonly exact?: boolean;
  /** The row of detect/validators that has the last word on what a pattern matched: a checksum, the look of a secret. */
  readonly check?: string;
  /** Or: every group must match, each within `within` characters of the previous one, in any order. */
  readonly near: readonly (readonly string[])[];
  readonly within: number;
  /** Or: every group must match somewhere in the same passage. */
  readonly all: readonly (readonly string[])[];
  /** Where it applies; empty means everywhere. */
  readonly roles: readonly Role[];
  readonly directions: readonly Direction[];
  readonly matches: readonly string[];
  readonly ignores: readonly string[];
  /** Where it was written, for problems. */
  readonly source: { readonly file: string; readonly line: number };
}

/** What of a signature a thread works with. The rest, most of it what proves the signature, would be half of its memory. */
export type Matcher = Omit<Signature, 'why' | 'matches' | 'ignores'>;

export function matcherOf(signature: Signature): Matcher {
  const { why: _why, matches: _matches, ignores: _ignores, ...matcher } = signature;
  return matcher;
}

/** One thing wrong in configuration or signatures, said so that a person can mend it. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}
