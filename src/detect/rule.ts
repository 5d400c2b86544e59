import type RE2 from 're2';
import type { Matcher } from '../domain/signature.ts';
import type { KnownAtom } from './known-atom.ts';

/** A signature as the scanner works with it: what it is looked for by, as atoms of its ruleset. */
export interface Rule {
  readonly signature: Matcher;
  /** One of these is enough. */
  readonly patterns: readonly number[];
  /** `patterns` only say where to look, and one of `proofs` must match there, and pass `isReal`. */
  readonly isProven: boolean;
  /** To be asked at once and not kept: engines.ts forgets those that nobody asks for. */
  readonly proofs: readonly RE2[];
  readonly isReal: (match: string) => boolean;
  /** All of these within `span` characters of each other. */
  readonly near: readonly number[];
  readonly span: number;
  /** All of these anywhere in one text. */
  readonly all: readonly number[];
}

export interface Atom extends KnownAtom {
  /** Its patterns, as their author wrote them: each of them is one way to say it. */
  readonly written: readonly string[];
}
