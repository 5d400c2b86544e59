/** The endpoints of Ollama. It is written in Go, whose JSON reader takes keys in any case. */
import { DEFINITIONS, messages, textBy } from './content.ts';
import type { Endpoint } from './endpoint.ts';
import { place, type Keys } from './place.ts';

/** Roles are free strings there; the template of the model decides what becomes of other ones. */
const SPEAKERS = { system: 'system', user: 'user', assistant: 'assistant', tool: 'tool_result' } as const;

const system = textBy('system');
const user = textBy('user', { tokens: true });
/** The state of an earlier call, as the tokens that it was. */
const context = place({ tokens: true });

const endpoint = (path: RegExp, keys: Keys): Endpoint => ({ path, root: place({ keys }), caseless: true });

export const ollama: readonly Endpoint[] = [
  endpoint(/\/api\/generate$/, { prompt: user, suffix: user, system, template: system, context }),
  endpoint(/\/api\/chat$/, { messages: messages(SPEAKERS), tools: DEFINITIONS }),
  endpoint(/\/api\/embed(dings)?$/, { input: user, prompt: user }),
  endpoint(/\/api\/create$/, { system, template: system, messages: messages(SPEAKERS) }),
  endpoint(/\/api\/experimental\/web_(search|fetch)$/, { query: user }),
];
