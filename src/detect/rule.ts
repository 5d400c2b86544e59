import type RE2 from 're2';
import type { Matcher } from '../domain/signature.ts';
import type { KnownAtom } from './patterns/known-atom.ts';

/** A signature compiled for the scanner. Its patterns and groups are atoms, given as indices into `Ruleset.atoms`. */
export interface Rule {
  readonly signature: Matcher;
  /** One of these atoms is enough for a match, unless `isProven`. */
  readonly patterns: readonly number[];
  /**
   * The atoms of `patterns` only say where to look: one of `proofs` must match there too, and its match must pass
   * `isReal`.
   */
  readonly isProven: boolean;
  /** Use the engines at once and do not store them: engines.ts drops those that were not used for a while. */
  readonly proofs: readonly RE2[];
  readonly isReal: (match: string) => boolean;
  /** Length of the longest match of a proof, in characters; 0 without proofs. */
  readonly longestProof: number;
  /** All of these atoms must match, within `span` characters of each other. */
  readonly near: readonly number[];
  readonly span: number;
  /** All of these atoms must match somewhere in the same text. */
  readonly all: readonly number[];
}

/**
 * A pattern, or a group of alternative patterns, compiled to one RE2 source. Rules with the same source share the atom.
 */
export interface Atom extends KnownAtom {
  /** The alternatives as the author of the signature wrote them; the atom matches where any of them does. */
  readonly written: readonly string[];
}
