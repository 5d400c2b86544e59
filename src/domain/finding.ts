import type { Role } from './passage.ts';
import type { Place } from './place.ts';
import type { Category } from './verdict.ts';

/** A match of one signature in one reading of one passage. Plain data, because it is sent between threads. */
export interface Finding {
  readonly signature: string;
  readonly name: string;
  readonly category: Category;
  /** 0..1: how often text that matches this signature is an attack. */
  readonly confidence: number;
  readonly role: Role;
  readonly where: string;
  /** The decoders that made the text readable, outermost first. Empty when it matched as written. */
  readonly via: readonly string[];
  /** Sorted and disjoint. Absent when the position is unknown. */
  readonly places?: readonly Place[] | undefined;
}

/** The same for all matches of one signature in what one role says. */
export function keyOfFinding({ signature, role }: Finding): string {
  return `${signature}\0${role}`;
}

/**
 * Surest first. Of two that are equally sure the one comes first whose name does, not the one that was met first: what
 * a thread remembers of a conversation decides what it meets, and every instance is to name the same one.
 */
export function bySureness(a: Finding, b: Finding): number {
  return b.confidence - a.confidence || compared(a.signature, b.signature) || compared(a.role, b.role);
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
