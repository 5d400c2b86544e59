import { ROLES, type Role } from '../domain/passage.ts';
import { CATEGORIES, type Category } from '../domain/verdict.ts';

/** The known category of a text. */
export type Label = Category | 'benign';

export interface Labelled {
  readonly id: string;
  readonly text: string;
  readonly label: Label;
  /** `family/kind/...` as in the corpus; empty when the row has none. */
  readonly subtype: string;
  /** The role of its author, if the row has one. */
  readonly role: Role | null;
}

/** A parsed line of a corpus, or why it could not be read. */
export type Row =
  { readonly kind: 'row'; readonly row: Labelled } | { readonly kind: 'unread'; readonly reason: string };

/**
 * Ids and subtypes are stored and printed, and texts never are. The limit keeps a text that was put in their place
 * from spreading.
 */
const MOST_ID_CHARS = 80;

/** Parses one line of a corpus. `place` is the id of a row without one. */
export function labelledRow(line: string, place: string): Row {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: 'unread', reason: 'is not JSON' };
  }
  if (typeof value !== 'object' || value === null) return { kind: 'unread', reason: 'is not an object' };
  const { id, text, label, subtype, role } = value as Readonly<Record<string, unknown>>;
  if (typeof text !== 'string') return { kind: 'unread', reason: "has no text under the key 'text'" };
  if (label !== 'benign' && !CATEGORIES.includes(label as Category))
    return { kind: 'unread', reason: `has a label that is none of benign, ${CATEGORIES.join(', ')}` };
  if (role !== undefined && role !== null && !ROLES.includes(role as Role))
    return { kind: 'unread', reason: `has a role that is none of ${ROLES.join(', ')}` };
  return {
    kind: 'row',
    row: {
      id: nameOf(id) ?? place,
      text,
      label: label as Label,
      subtype: nameOf(subtype) ?? '',
      role: (role as Role | null | undefined) ?? null,
    },
  };
}

function nameOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text.slice(0, MOST_ID_CHARS) : null;
}
