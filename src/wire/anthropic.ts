/** Request grammars of the Anthropic API, and of APIs compatible with it. */
import { DEFINITIONS, messages, textBy } from './content.ts';
import type { Endpoint } from './endpoint.ts';
import { place, type Keys } from './place.ts';

const SPEAKERS = { user: 'user', assistant: 'assistant', system: 'system' } as const;

const system = textBy('system');
const user = textBy('user');

const conversation: Keys = {
  system,
  messages: messages(SPEAKERS),
  tools: DEFINITIONS,
  compaction: place({ keys: { instructions: system } }),
  context_management: place({ keys: { edits: place({ keys: { instructions: system } }) } }),
};

/** Events of a session. The `type` of an event says who wrote it. */
const events = { ...messages({}), types: new Map([['user.message', 'user']] as const) };

export const anthropic: readonly Endpoint[] = [
  {
    path: /\/messages\/batches$/,
    root: place({ keys: { requests: place({ keys: { params: place({ keys: conversation }) } }) } }),
  },
  { path: /\/messages(\/count_tokens)?$/, root: place({ keys: conversation }) },
  { path: /\/complete$/, root: place({ keys: { prompt: user } }) },
  { path: /\/agents(\/[^/]+)?$/, root: place({ keys: { system, tools: DEFINITIONS } }) },
  { path: /\/sessions\/[^/]+\/events$/, root: place({ keys: { events } }) },
  { path: /\/memory_stores\/[^/]+\/memories(\/[^/]+)?$/, root: place({ keys: { content: textBy('document') } }) },
];
