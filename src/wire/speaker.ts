/** Determines the author of text: the role that a message claims, and when that claim is not believed. */
import { THIRD_PARTY } from '../domain/passage.ts';
import type { Role } from '../domain/passage.ts';
import type { Place } from './place.ts';

/** An object of a document, with what is needed to determine the role of its text. */
export interface Scope {
  readonly place: Place;
  readonly role: Role | null;
  readonly parent: Scope | null;
  /** The message that the object belongs to, possibly itself. */
  readonly message: Scope | null;
  /** The number of that message; 0 if there is none. */
  readonly number: number;
  /** Strings held until the end of the message, because its `role` may come after its text. */
  pending: Pending[] | null;
  /** How often the key `role` occurred, and how often with a string value. Other values cannot be interpreted. */
  roleKeys: number;
  roleStrings: number;
  /** The values of `role` and `type`. */
  saidRole: string | null;
  saidType: string | null;
  /** The object has two different roles or types. Parsers differ in which of two duplicate keys they use. */
  conflict: boolean;
}

export interface Pending {
  readonly text: string;
  readonly scope: Scope;
  readonly role: Role | null;
  readonly named: boolean;
  /** The key that the text stands under; null if it is a key itself. */
  readonly under: string | null;
  readonly where: string;
}

/**
 * The role of text in this scope, from the nearest object that determines it. Without a credible claim the result is
 * `user` or `other`.
 */
export function roleOf(scope: Scope): Role {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const { place } = at;
    if (at.conflict) return 'user';
    const type = typeRole(at);
    // A third-party type takes precedence over the role of the message, because it is the stricter one.
    if (type !== null && THIRD_PARTY.has(type)) return type;
    if (place.speakers !== null) {
      if (at.roleKeys === 0) return type ?? 'other';
      if (at.roleKeys !== at.roleStrings || at.saidRole === null) return 'user';
      return place.speakers.get(at.saidRole) ?? 'other';
    }
    if (at.role !== null) return at.role;
  }
  return 'other';
}

/** Providers often add new types of tool results. All of their names end in `tool_result`, so no list is needed. */
function typeRole(scope: Scope): Role | null {
  const { saidType } = scope;
  if (saidType === null || scope.place.types === null) return null;
  if (saidType.endsWith('tool_result')) return 'tool_result';
  return scope.place.types.get(saidType) ?? null;
}

export function sayRole(scope: Scope, role: string): void {
  scope.roleStrings++;
  if (scope.saidRole !== null && scope.saidRole !== role) scope.conflict = true;
  scope.saidRole = role;
}

export function sayType(scope: Scope, type: string): void {
  if (scope.saidType !== null && scope.saidType !== type) scope.conflict = true;
  scope.saidType = type;
}
