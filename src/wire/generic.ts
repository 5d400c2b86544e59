/**
 * The grammar for unknown endpoints. A role that makes the policy more lenient, such as `system`, `model` or `CHATBOT`,
 * is not trusted there: the text is `other`.
 */
import { commonKeys } from './common-keys.ts';
import type { GrammarNode } from './grammar-node.ts';

export const generic: GrammarNode = commonKeys({
  // Roles that make the policy no more lenient. Cohere writes them in capitals.
  speakers: { user: 'user', USER: 'user', tool: 'tool_result', TOOL: 'tool_result', function: 'tool_result' },
  application: 'other',
  definitions: 'other',
});
