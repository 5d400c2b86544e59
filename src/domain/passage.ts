/** A piece of text found in a body, with who wrote it. */

export const ROLES = [
  'system',
  'developer',
  'user',
  'assistant',
  'tool_result',
  'tool_definition',
  'document',
  'other',
] as const;
export type Role = (typeof ROLES)[number];

/** What a model only is to read: third parties' text, in which an errand is nobody's who may give one. */
export const THIRD_PARTY: ReadonlySet<Role> = new Set<Role>(['tool_result', 'document']);

export interface Passage {
  readonly text: string;
  readonly role: Role;
  /** Where it stood, for logs: `messages[3].content`. Keys are the sender's, so it is bounded and never holds a value. */
  readonly where: string;
  /** Passages of one message share a number: the upstream reads them as one text, so a payload may be split across them. */
  readonly message: number;
}
