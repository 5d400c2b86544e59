/** A piece of text found in a body, with who wrote it. */

/** The author of a text, as far as the provider's format tells. */
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

/**
 * Roles whose text comes from third parties. The model is to read it as data, so nobody may give instructions in it.
 */
export const THIRD_PARTY: ReadonlySet<Role> = new Set<Role>(['tool_result', 'document']);

/** Roles of the application's own instructions. */
export const OPERATOR_ROLES: ReadonlySet<Role> = new Set<Role>(['system', 'developer', 'tool_definition']);

/** Roles that make the policy more lenient: texts of the application and of the model. */
export const LENIENT_ROLES: ReadonlySet<Role> = new Set<Role>([...OPERATOR_ROLES, 'assistant']);

export interface Passage {
  readonly text: string;
  readonly role: Role;
  /**
   * Its position, for logs: `messages[3].content`. Keys come from the sender, so the length is bounded. It never
   * holds a value.
   */
  readonly where: string;
  /**
   * Passages of one message share a number: the upstream reads them as one text, so an attack may be split across
   * them.
   */
  readonly message: number;
  /**
   * Values of which no grammar knows the meaning, and keys: the address of a picture, say. Texts on either side may be
   * read as one.
   */
  readonly isValue?: true;
}
