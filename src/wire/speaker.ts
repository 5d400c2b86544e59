/** Who wrote what stands in a scope: the role that a message claims, and when its claim is not believed. */
import { THIRD_PARTY } from '../domain/passage.ts';
import type { Role } from '../domain/passage.ts';
import type { Place } from './place.ts';

/** One object of a document as far as labels need it. */
export interface Scope {
  readonly place: Place;
  readonly role: Role | null;
  readonly parent: Scope | null;
  /** The message that it belongs to, which may be itself. */
  readonly message: Scope | null;
  readonly number: number;
  /** What waits for the end of the message, because its role may stand behind its text. */
  pending: Pending[] | null;
  /** Times that `role` stood as a key, and as a key of a string: another value is a claim that nobody can read. */
  roleKeys: number;
  roleStrings: number;
  saidRole: string | null;
  saidType: string | null;
  /** Two different claims. Parsers differ in which of two equal keys they believe. */
  conflict: boolean;
}

export interface Pending {
  readonly text: string;
  readonly scope: Scope;
  readonly role: Role | null;
  readonly named: boolean;
  readonly where: string;
}

export function roleOf(scope: Scope): Role {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const { place } = at;
    if (at.conflict) return 'user';
    const type = typeRole(at);
    // Believed against whatever the message says, since it is the stricter.
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

/** Providers add kinds of tool results faster than a table can follow; their names all end alike. */
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
