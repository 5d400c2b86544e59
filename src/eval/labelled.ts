import { ROLES, type Role } from '../domain/passage.ts';
import { CATEGORIES, type Category } from '../domain/verdict.ts';

/** A text that somebody has judged already. */
export type Label = Category | 'benign';

export interface Labelled {
  readonly id: string;
  readonly text: string;
  readonly label: Label;
  /** `family/kind/...`, as the corpus has it; empty where it says nothing. */
  readonly subtype: string;
  /** Who wrote it, where the row says so. */
  readonly role: Role | null;
}

export type Row =
  { readonly kind: 'row'; readonly row: Labelled } | { readonly kind: 'unread'; readonly reason: string };

/** Ids and subtypes are kept and printed, texts never: a text that stands in their place must not get far. */
const MOST_ID_CHARS = 80;

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
