import type { Direction, ScanJob } from './job.ts';
import type { Role } from './passage.ts';

/**
 * A text without a call around it, as commands and the console judge it. Each role has the request body in which such a
 * text would reach the proxy, so that it is judged as it would arrive: through the parser of the provider's format.
 */
const REQUESTS = {
  system: (text) => chat([{ role: 'system', content: text }]),
  developer: (text) => chat([{ role: 'developer', content: text }]),
  user: (text) => chat([{ role: 'user', content: text }]),
  assistant: (text) => chat([{ role: 'assistant', content: text }]),
  tool_result: (text) => chat([{ role: 'tool', tool_call_id: 'call_1', content: text }]),
  tool_definition: (text) => ({
    path: CHAT,
    body: { messages: [], tools: [{ type: 'function', function: { name: 'tool', description: text } }] },
  }),
  document: (text) => ({ path: '/v1/rerank', body: { query: '', documents: [text] } }),
  other: (text) => ({ path: CHAT, body: { messages: [], metadata: { note: text } } }),
} as const satisfies Record<Role, (text: string) => { readonly path: string; readonly body: unknown }>;

const CHAT = '/v1/chat/completions';

function chat(messages: readonly unknown[]): { readonly path: string; readonly body: unknown } {
  return { path: CHAT, body: { messages } };
}

export function jobOfText(text: string, direction: Direction, role: Role, sensitive: boolean): ScanJob {
  const { path, body } =
    direction === 'request'
      ? REQUESTS[role](text)
      : { path: CHAT, body: { choices: [{ index: 0, message: { role: 'assistant', content: text } }] } };
  return {
    bytes: Buffer.from(JSON.stringify(body)),
    wire: 'openai',
    direction,
    sensitive: direction === 'response' || sensitive,
    path,
    contentType: 'application/json',
    contentEncoding: '',
  };
}
