/**
 * The grammar for unknown endpoints. Common keys have their usual meaning, but a role that makes the policy more
 * lenient, such as `system` or `assistant`, is not trusted.
 */
import { DEFINITIONS, items, textBy } from './content.ts';
import { place, type Place } from './place.ts';

const SPEAKERS = { user: 'user', tool: 'tool_result', function: 'tool_result' } as const;
const spoken = items(SPEAKERS, {});

export const generic: Place = place({
  text: true,
  keys: {
    messages: { ...spoken, role: null },
    input: spoken,
    prompt: textBy('user', { tokens: true }),
    query: textBy('user'),
    documents: textBy('document', { message: true }),
    context: place({ tokens: true }),
    tools: { ...DEFINITIONS, role: 'other' },
  },
});
