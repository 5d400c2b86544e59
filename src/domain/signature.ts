import type { Role } from './passage.ts';
import type { Direction } from './job.ts';
import type { Category } from './verdict.ts';

/**
 * A signature as its author wrote it. Plain data, so that it can be sent to the scanning threads, which compile and
 * prove it.
 */
export interface Signature {
  readonly id: string;
  readonly name: string;
  readonly category: Category;
  readonly confidence: number;
  /** Why such text is an attack, for people who read the entry. */
  readonly why: string;
  /** Each of these matches on its own (RE2 syntax, no counted gaps such as `.{0,40}`). */
  readonly patterns: readonly string[];
  /** For patterns that are too slow to search for everywhere: they are tried only where one of these words occurs. */
  readonly keys?: readonly string[];
  /** Makes the match case-sensitive: a token's prefix in the wrong case is a different word. */
  readonly exact?: boolean;
  /** Counts only where the text was hidden: said plainly it is harmless, or the model refuses it by itself. */
  readonly hidden?: boolean;
  /** Finds what is asked in plain words, so that it counts in full however little the text resembles attacks. */
  readonly plain?: boolean;
  /** Its groups belong into one sentence: where another begins between them, it counts for less. */
  readonly sentence?: boolean;
  /** The language that an intent was written for, if it is not English. */
  readonly language?: string;
  /**
   * The entry of detect/validators that confirms what a pattern matched, for example by a checksum or by how random a
   * secret looks.
   */
  readonly check?: string;
  /**
   * Alternative to `patterns`: every group must match, each within `within` characters of the previous one, in any
   * order.
   */
  readonly near: readonly (readonly string[])[];
  readonly within: number;
  /** Alternative to `patterns`: every group must match somewhere in the same passage. */
  readonly all: readonly (readonly string[])[];
  /** The roles it applies to. Empty means all. */
  readonly roles: readonly Role[];
  readonly directions: readonly Direction[];
  readonly matches: readonly string[];
  readonly ignores: readonly string[];
  /** Where it is defined, for error messages. */
  readonly source: { readonly file: string; readonly line: number };
}

/**
 * The part of a signature that a scanning thread needs. The rest, mostly examples for the proof, would be half of its
 * memory.
 */
export type Matcher = Omit<Signature, 'why' | 'matches' | 'ignores'>;

export function matcherOf(signature: Signature): Matcher {
  const { why: _why, matches: _matches, ignores: _ignores, ...matcher } = signature;
  return matcher;
}

/** How the files begin that ship with the program, and those of a signed bundle. An operator's have a whole path. */
export const SHIPPED_FILES = 'signatures/';
export const BUNDLE_FILES = 'bundle/';

/** Whether the operator of this machine wrote it. */
export function isOperators({ source: { file } }: Pick<Signature, 'source'>): boolean {
  return !file.startsWith(SHIPPED_FILES) && !file.startsWith(BUNDLE_FILES);
}

/** Whether it ships with the program. */
export function isShipped({ source: { file } }: Pick<Signature, 'source'>): boolean {
  return file.startsWith(SHIPPED_FILES);
}
