/** Request grammars of the Anthropic API, and of APIs compatible with it. */
import { DEFINITIONS, messages, textBy } from './content.ts';
import type { Endpoint } from './endpoint.ts';
import { node, type Keys } from './grammar-node.ts';

const SPEAKERS = { user: 'user', assistant: 'assistant', system: 'system' } as const;

const system = textBy('system');
const user = textBy('user');

const conversation: Keys = {
  system,
  messages: messages(SPEAKERS),
  tools: DEFINITIONS,
  compaction: node({ keys: { instructions: system } }),
  context_management: node({ keys: { edits: node({ keys: { instructions: system } }) } }),
};

/** Events of a session. The `type` of an event says who wrote it. */
const events = { ...messages({}), types: new Map([['user.message', 'user']] as const) };

export const anthropic: readonly Endpoint[] = [
  {
    path: /\/messages\/batches$/,
    root: node({ keys: { requests: node({ keys: { params: node({ keys: conversation }) } }) } }),
  },
  { path: /\/messages(\/count_tokens)?$/, root: node({ keys: conversation }) },
  { path: /\/complete$/, root: node({ keys: { prompt: user } }) },
  { path: /\/agents(\/[^/]+)?$/, root: node({ keys: { system, tools: DEFINITIONS } }) },
  { path: /\/sessions\/[^/]+\/events$/, root: node({ keys: { events } }) },
  { path: /\/memory_stores\/[^/]+\/memories(\/[^/]+)?$/, root: node({ keys: { content: textBy('document') } }) },
];
