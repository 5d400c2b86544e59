import type RE2 from 're2';
import type { Signature } from '../domain/signature.ts';
import type { Tree } from './pattern-tree.ts';

/** A signature as the scanner works with it: what it is looked for by, as atoms of its ruleset. */
export interface Rule {
  readonly signature: Signature;
  /** One of these is enough. */
  readonly patterns: readonly number[];
  /** Not empty: `patterns` only say where to look, and one of these must match there, and pass `isReal`. */
  readonly proofs: readonly RE2[];
  readonly isReal: (match: string) => boolean;
  /** All of these within `span` characters of each other. */
  readonly near: readonly number[];
  readonly span: number;
  /** All of these anywhere in one text. */
  readonly all: readonly number[];
}

export interface Atom {
  readonly source: string;
  readonly tree: Tree;
}
