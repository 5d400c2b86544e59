/** Determines the author of text: the role that a message claims, and when that claim is not believed. */
import { THIRD_PARTY } from '../domain/passage.ts';
import type { Role } from '../domain/passage.ts';
import type { GrammarNode } from './grammar-node.ts';

/** An object of a document, with what is needed to determine the role of its text. */
export interface Scope {
  readonly node: GrammarNode;
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
  roleValue: string | null;
  typeValue: string | null;
  /** The object has two different roles or types. Parsers differ in which of two duplicate keys they use. */
  isAmbiguous: boolean;
}

export interface Pending {
  readonly text: string;
  readonly scope: Scope;
  readonly role: Role | null;
  readonly isText: boolean;
  /** The key that the text stands under; null if it is a key itself. */
  readonly underKey: string | null;
  readonly where: string;
}

/**
 * The role of text in this scope, from the nearest object that determines it. Without a credible claim the result is
 * `user` or `other`.
 */
export function roleOf(scope: Scope): Role {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const { node } = at;
    if (at.isAmbiguous) return 'user';
    const type = roleOfType(at);
    // A third-party type takes precedence over the role of the message, because it is the stricter one.
    if (type !== null && THIRD_PARTY.has(type)) return type;
    if (node.speakers !== null) {
      if (at.roleKeys === 0) return type ?? 'other';
      if (at.roleKeys !== at.roleStrings || at.roleValue === null) return 'user';
      return node.speakers.get(at.roleValue) ?? 'other';
    }
    if (at.role !== null) return at.role;
  }
  return 'other';
}

/** Whether a message of a response was not said by the model but sent to it, and is only told back. */
export function repeatsRequest({ node, roleKeys, roleValue, isAmbiguous }: Scope): boolean {
  return roleKeys === 1 && !isAmbiguous && roleValue !== null && node.echoes?.has(roleValue) === true;
}

/** Providers often add new types of tool results. All of their names end in `tool_result`, so no list is needed. */
function roleOfType(scope: Scope): Role | null {
  const { typeValue } = scope;
  if (typeValue === null || scope.node.types === null) return null;
  if (typeValue.endsWith('tool_result')) return 'tool_result';
  return scope.node.types.get(typeValue) ?? null;
}

export function recordRole(scope: Scope, role: string): void {
  scope.roleStrings++;
  if (scope.roleValue !== null && scope.roleValue !== role) scope.isAmbiguous = true;
  scope.roleValue = role;
}

export function recordType(scope: Scope, type: string): void {
  if (scope.typeValue !== null && scope.typeValue !== type) scope.isAmbiguous = true;
  scope.typeValue = type;
}
