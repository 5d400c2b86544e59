import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Passage } from '../src/domain/passage.ts';
import { readableBody } from './helpers/extracted.ts';

const TEXT = 'these are the words of the model';

function read(body: string, path: string, contentType = 'application/json'): readonly Passage[] {
  return readableBody(body, { wire: 'auto', direction: 'response', path, contentType }).passages;
}

const rolesOf = (passages: readonly Passage[]): readonly string[] => [
  ...new Set(passages.filter(({ text }) => text.includes(TEXT)).map(({ role }) => role)),
];

const chat = (message: unknown): unknown => ({ id: 'c', choices: [{ index: 0, message }] });
const output = (item: unknown): unknown => ({ id: 'r', object: 'response', output: [item] });
const block = (content: unknown): unknown => ({ id: 'm', type: 'message', role: 'assistant', content: [content] });
const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const MESSAGES = '/v1/messages';

const SAID: readonly (readonly [path: string, body: unknown, role?: string])[] = [
  [CHAT, chat({ role: 'assistant', content: TEXT })],
  [CHAT, chat({ refusal: TEXT })],
  [CHAT, chat({ reasoning: TEXT })],
  [CHAT, chat({ reasoning_content: TEXT })],
  [CHAT, chat({ reasoning_details: [{ text: TEXT }] })],
  [CHAT, chat({ audio: { transcript: TEXT, data: 'x' } })],
  [CHAT, chat({ tool_calls: [{ id: 't', function: { name: 'f', arguments: JSON.stringify({ a: TEXT }) } }] })],
  [CHAT, chat({ tool_calls: [{ id: 't', function: { name: TEXT, arguments: '{}' } }] })],
  [CHAT, chat({ function_call: { name: 'f', arguments: TEXT } })],
  [CHAT, chat({ annotations: [{ url_citation: { title: TEXT } }] }), 'document'],
  [CHAT, { error: { message: TEXT } }],
  ['/v1/completions', { choices: [{ text: TEXT }] }],
  [RESPONSES, output({ type: 'message', content: [{ type: 'output_text', text: TEXT }] })],
  [RESPONSES, output({ type: 'reasoning', summary: [{ text: TEXT }] })],
  [RESPONSES, output({ type: 'function_call', arguments: TEXT })],
  [RESPONSES, output({ type: 'code_interpreter_call', code: TEXT })],
  [RESPONSES, output({ type: 'shell_call', action: { commands: [TEXT] } })],
  [RESPONSES, output({ type: 'apply_patch_call', operation: { diff: TEXT } })],
  [RESPONSES, output({ type: 'file_search_call', results: [{ text: TEXT }] }), 'tool_result'],
  [RESPONSES, output({ type: 'mcp_call', output: TEXT }), 'tool_result'],
  [MESSAGES, block({ type: 'text', text: TEXT })],
  [MESSAGES, block({ type: 'thinking', thinking: TEXT, signature: 's' })],
  [MESSAGES, block({ type: 'tool_use', id: 'x', name: 'n', input: { any_id: TEXT } })],
  [MESSAGES, block({ type: 'tool_use', id: 'x', name: 'n', input: { id: { signature: TEXT } } })],
  [MESSAGES, block({ type: 'text', text: 'a', citations: [{ cited_text: TEXT }] }), 'document'],
  [MESSAGES, block({ type: 'web_search_tool_result', content: [{ title: TEXT }] }), 'tool_result'],
  ['/v1/complete', { completion: TEXT }],
  ['/api/generate', { response: TEXT, context: [1] }],
  ['/api/generate', { thinking: TEXT }],
  ['/api/chat', { message: { role: 'assistant', content: TEXT } }],
  ['/api/chat', { message: { tool_calls: [{ function: { name: 'f', arguments: { id: TEXT } } }] } }],
  ['/v1/audio/transcriptions', { text: TEXT }, 'document'],
  ['/v1/images/generations', { data: [{ revised_prompt: TEXT, b64_json: 'x' }] }],
  ['/v1/vector_stores/v/search', { data: [{ content: [{ text: TEXT }] }] }, 'document'],
  ['/v1/threads/t/messages', { data: [{ content: [{ text: { value: TEXT } }] }] }],
  ['/v1/threads/t/messages', { data: [{ content: [{ text: { value: TEXT } }], role: 'assistant' }] }],
  // Of two roles, a client may believe either.
  ['/v1/threads/t/messages', `{"role":"user","content":"${TEXT}","role":"assistant"}`, 'user'],
  ['/v1/threads/t/runs/r', { required_action: { tool_calls: [{ function: { arguments: TEXT } }] } }],
  ['/v1/conversations/c/items', { data: [{ role: 'assistant', content: [{ text: TEXT }] }] }],
  [
    '/v1/conversations',
    { object: 'conversation.response', outputs: [{ role: 'assistant', content: TEXT }] },
    'tool_result',
  ],
  [RESPONSES, output({ type: 'message', role: 'user', content: [{ type: 'output_text', text: TEXT }] })],
];

for (const [path, body, role = 'assistant'] of SAID) {
  test(`the response ${JSON.stringify(body)} of ${path} says something as ${role}`, () => {
    deepEqual(rolesOf(read(typeof body === 'string' ? body : JSON.stringify(body), path)), [role]);
  });
}

const UNSAID: readonly (readonly [path: string, body: unknown])[] = [
  [CHAT, { id: TEXT, model: TEXT, object: TEXT, system_fingerprint: TEXT }],
  [CHAT, { choices: [{ finish_reason: TEXT, logprobs: { content: [{ token: TEXT }] } }] }],
  [CHAT, chat({ tool_calls: [{ id: TEXT }], audio: { id: TEXT } })],
  [CHAT, { obfuscation: TEXT, usage: { x: TEXT } }],
  [RESPONSES, { instructions: TEXT, tools: [{ description: TEXT }], metadata: { a: TEXT }, prompt: { id: TEXT } }],
  [RESPONSES, output({ type: 'reasoning', encrypted_content: TEXT })],
  [MESSAGES, block({ type: 'thinking', signature: TEXT })],
  ['/v1/threads/t/messages', { role: 'user', content: [{ text: { value: TEXT } }], metadata: { a: TEXT } }],
  ['/v1/threads/t/messages', { data: [{ content: [{ text: { value: TEXT } }], role: 'user' }] }],
  ['/v1/threads/t/runs', { data: [{ instructions: TEXT, tools: [{ function: { description: TEXT } }] }] }],
  ['/v1/threads/t/runs/r', { instructions: TEXT, tools: [{ function: { description: TEXT } }], metadata: { a: TEXT } }],
  [
    '/v1/conversations/c/items',
    {
      data: [
        { role: 'developer', content: TEXT },
        { role: 'system', content: TEXT },
      ],
    },
  ],
  ['/v1/conversations/c/history', { entries: [{ role: 'user', content: TEXT }], instructions: TEXT }],
  ['/v1/responses/r/input_items', { data: [{ role: 'user', content: [{ type: 'input_text', text: TEXT }] }] }],
  ['/v1/realtime/client_secrets', { value: TEXT }],
  ['/v1/models', { data: [{ description: TEXT }] }],
];

for (const [path, body] of UNSAID) {
  test(`the response ${JSON.stringify(body)} of ${path} says nothing`, () => {
    deepEqual(rolesOf(read(JSON.stringify(body), path)), []);
  });
}

const sse = (...events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

/** Letter by letter. */
const STREAMS: readonly (readonly [path: string, piece: (letter: string) => unknown])[] = [
  [CHAT, (content) => ({ choices: [{ index: 0, delta: { content } }] })],
  [CHAT, (text) => ({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } }] })],
  [
    RESPONSES,
    (delta) => ({ type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0, delta }),
  ],
  [MESSAGES, (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })],
  [
    MESSAGES,
    (json) => ({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: json } }),
  ],
];

for (const [path, piece] of STREAMS) {
  test(`a stream of ${path} is read as one text: ${JSON.stringify(piece('x'))}`, () => {
    const body = sse(...[...TEXT].map((letter) => piece(letter)), '[DONE]');
    deepEqual(rolesOf(read(body, path, 'text/event-stream; charset=utf-8')), ['assistant']);
    deepEqual(rolesOf(read(body.replaceAll('\n', '\r\n'), path, '')), ['assistant']);
    deepEqual(rolesOf(read(`: ping\n\nevent: x\n${body.replaceAll('\n', '\r')}`, path, '')), ['assistant']);
  });
}

test('answers that stream side by side are not mixed', () => {
  const events = [...TEXT].flatMap((content) =>
    [0, 1].map((index) => ({ choices: [{ index, delta: { content: index === 0 ? content : '-' } }] })),
  );
  deepEqual(rolesOf(read(sse(...events), CHAT, 'text/event-stream')), ['assistant']);
});

test('lines of a stream that are no events are read too', () => {
  deepEqual(rolesOf(read(`data: {}\n\n${TEXT}\n\n`, CHAT, 'text/event-stream')), ['assistant']);
  deepEqual(rolesOf(read(`data: ${TEXT}\n\n`, CHAT, 'text/event-stream')), ['assistant']);
});

test('plain text and lines of JSON are the words of the model as well', () => {
  deepEqual(rolesOf(read(`1\n00:00:01 --> 00:00:02\n${TEXT}\n`, '/v1/audio/transcriptions', 'text/srt')), [
    'assistant',
  ]);
  const lines = `{"message":{"content":"a"}}\n{"message":{"content":"${TEXT}"},"done":true}\n`;
  deepEqual(rolesOf(read(lines, '/api/chat', 'application/x-ndjson')), ['assistant']);
});
