/** Request grammars of the Ollama API. Ollama is written in Go, whose JSON parser matches keys in any case. */
import { DEFINITIONS, messages, textBy } from './content.ts';
import type { Endpoint } from './endpoint.ts';
import { node, type Keys } from './grammar-node.ts';

/** Ollama accepts any string as a role. What happens with other ones depends on the template of the model. */
const SPEAKERS = { system: 'system', user: 'user', assistant: 'assistant', tool: 'tool_result' } as const;

const system = textBy('system');
const user = textBy('user', { mayBeTokenIds: true });
/** The state of an earlier call, as a list of token ids. */
const context = node({ mayBeTokenIds: true });

const endpoint = (path: RegExp, keys: Keys): Endpoint => ({ path, root: node({ keys }), caseless: true });

export const ollama: readonly Endpoint[] = [
  endpoint(/\/api\/generate$/, { prompt: user, suffix: user, system, template: system, context }),
  endpoint(/\/api\/chat$/, { messages: messages(SPEAKERS), tools: DEFINITIONS }),
  endpoint(/\/api\/embed(dings)?$/, { input: user, prompt: user }),
  endpoint(/\/api\/create$/, { system, template: system, messages: messages(SPEAKERS) }),
  endpoint(/\/api\/experimental\/web_(search|fetch)$/, { query: user }),
];
