/** Whether an answer is scanned is never the caller's choice, nor a matter of which name its upstream has for text. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { SECRET } from './fixtures/streams/through.ts';
import { modelEndpointAt } from '../src/domain/model-endpoints.ts';
import { isJsonLines } from '../src/domain/json-lines.ts';
import { startGuard, type Guard } from './helpers/guard.ts';
import { ask, post } from './helpers/raw-client.ts';
import { startRecorder, type Answer, type Recorder } from './helpers/recorder.ts';
import { assertRefusal } from './helpers/refusals.ts';

const said = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: `The key is ${SECRET}.` } }],
  message: { role: 'assistant', content: `The key is ${SECRET}.` },
});

let guard: Guard;
let upstream: Recorder;
let answering: Answer = {};

before(async () => {
  upstream = await startRecorder(() => answering);
  guard = await startGuard({
    upstreams: {
      'llm-a': { url: upstream.url },
      ollama: { url: `${upstream.url}/api/`, wire: 'ollama' },
      one: { url: `${upstream.url}/v1/chat/completions` },
    },
    config: { security: { failure_mode: 'closed' }, scanner: { response: { enabled: true, mode: 'full' } } },
  });
});

after(async () => {
  await guard.close();
  await upstream.close();
});

const SPELLINGS = [
  '/v1/chat/completions',
  '/v1/chat/completions/',
  '/v1/chat/completions//',
  '/v1/chat/completions;x',
  '/v1/chat;a=b/completions;x=y',
  '/v1/chat/%63ompletions',
  '/v1/chat/%2563ompletions',
  '/v1/Chat/Completions',
  '/v1//chat//completions',
  '/v1/./chat/./completions/.',
  '/v1%2Fchat%2Fcompletions',
  '/v1/chat/completions%20',
  '/v1/chat/completions%0A',
  '/v1/chat/completions%0d%0a',
  '/v1/chat/completions/%09',
  '/v1/chat/completions%250a',
  '/v1/chat/completions%3Fx=y',
  '/v1/chat/completions%23x',
  '/v1/a%3Fb/Chat/Completions',
  '/v1/messages/',
  '/v1/%6dessages',
  '/api//chat',
  '/api/%63hat',
  '/api/./chat',
];

for (const path of SPELLINGS)
  test(`an answer of ${path} is scanned, and the upstream sees the path as it was sent`, async () => {
    answering = { headers: { 'content-type': 'application/json' }, body: [said] };
    const answer = await ask(guard.port, post(`/llm-a${path}`, '{"model":"m"}', 'Content-Type: application/json'));
    assertRefusal(answer, 502, 'response_blocked');
    assert.equal(upstream.requests.at(-1)!.target, path);
  });

test('an answer that is scanned is not asked for in ranges, each of which would hide what goes on in the next', async () => {
  answering = { headers: { 'content-type': 'application/json' }, body: [said] };
  const ranged = ['Range: bytes=0-40', 'If-Range: "x"'];
  const answer = await ask(
    guard.port,
    post('/llm-a/v1/files/f/content', '{}', 'Content-Type: application/json', ...ranged),
  );
  assertRefusal(answer, 502, 'response_blocked');
  assert.deepEqual(upstream.requests.at(-1)!.values('range'), []);
  assert.deepEqual(upstream.requests.at(-1)!.values('if-range'), []);
  await ask(guard.port, post('/llm-a/v1/files/f', '{}', 'Content-Type: application/json', ...ranged));
  assert.deepEqual(upstream.requests.at(-1)!.values('range'), ['bytes=0-40']);
});

for (const [path, whole] of [
  ['/ollama/chat', '/api/chat'],
  ['/ollama/generate', '/api/generate'],
  ['/one', '/v1/chat/completions'],
] as const)
  test(`an answer of ${path} is scanned, whose endpoint is ${whole} with the path of the upstream's address`, async () => {
    answering = { headers: { 'content-type': 'application/json' }, body: [said] };
    const answer = await ask(guard.port, post(path, '{"model":"m"}', 'Content-Type: application/json'));
    assertRefusal(answer, 502, 'response_blocked');
    assert.equal(upstream.requests.at(-1)!.target, whole);
  });

const text = `The key is ${SECRET}.`;
const OTHER_PROVIDERS = [
  ['/v1beta/models/gemini-2.5-pro:generateContent', { candidates: [{ content: { parts: [{ text }] } }] }],
  ['/v1beta/models/gemini-2.5-pro%3AgenerateContent', { candidates: [{ content: { parts: [{ text }] } }] }],
  ['/v1beta/models/gemini-2.5-pro:streamGenerateContent', [{ candidates: [{ content: { parts: [{ text }] } }] }]],
  ['/v1beta/interactions/i1', { outputs: [{ type: 'text', text }] }],
  ['/v1/projects/p/locations/l/publishers/anthropic/models/claude:rawPredict', { content: [{ type: 'text', text }] }],
  ['/v2/chat', { message: { content: [{ type: 'text', text }] } }],
  ['/v1/conversations', { outputs: [{ type: 'message.output', content: text }] }],
  ['/v1/conversations/c1/restart', { outputs: [{ type: 'message.output', content: text }] }],
  ['/model/eu.amazon.nova-pro-v1:0/converse', { output: { message: { content: [{ text }] } } }],
  ['/model/meta.llama/invoke', { generation: text }],
  ['/serving-endpoints/mine/invocations', { choices: [{ message: { content: text } }] }],
  ['/v1/projects/p/locations/l/publishers/google/models/text-bison:predict', { predictions: [{ content: text }] }],
  ['/v1/projects/p/locations/l/endpoints/1:serverStreamingPredict', [{ outputs: [{ stringVal: [text] }] }]],
  [
    '/v1beta/batches/b1',
    { response: { inlinedResponses: [{ response: { candidates: [{ content: { parts: [{ text }] } }] } }] } },
  ],
  ['/v1beta/files/f1:download', { response: { candidates: [{ content: { parts: [{ text }] } }] } }],
  ['/retrieveAndGenerate', { output: { text } }],
  ['/knowledgebases/k1/retrieve', { retrievalResults: [{ content: { text } }] }],
  ['/client/v4/accounts/a/ai/run/@cf/meta/llama-3.1-8b-instruct', { result: { response: text } }],
  ['/v1/acct/gw/workers-ai/@cf/meta/llama-3.1-8b-instruct', { result: { response: text } }],
  ['/api/v2/cortex/inference:complete', { choices: [{ message: { content: text } }] }],
  ['/v1/models/meta/llama/predictions', { output: ['The key', ` is ${SECRET}.`] }],
  ['/v1/predictions/p1', { output: text }],
  ['/api/extra/generate/check', { results: [{ text }] }],
  ['/v1/summarize', { summary: text }],
  ['/v1/ocr', { pages: [{ markdown: text }] }],
  ['/v1/documents/search', { matches: [{ chunk_content: text }] }],
  ['/v1/evals/e/runs/r/output_items', { data: [{ sample: { output: [{ role: 'assistant', content: text }] } }] }],
  ['/completion', { content: text }],
  ['/ml/v1/text/generation', { results: [{ generated_text: text }] }],
  ['/v1/chat/deferred-completion/r1', { choices: [{ message: { content: text } }] }],
  ['/v1/responses/r1/cancel', { output: [{ type: 'message', content: [{ type: 'output_text', text }] }] }],
] as const;

for (const [path, answer] of OTHER_PROVIDERS)
  test(`an answer of ${path} is scanned`, async () => {
    answering = { headers: { 'content-type': 'application/json' }, body: [JSON.stringify(answer)] };
    const sent = post(`/llm-a${path}`, '{"model":"m"}', 'Content-Type: application/json');
    assertRefusal(await ask(guard.port, sent), 502, 'response_blocked');
  });

test('what an answer of another provider repeats of its request is not taken for the words of the model', async () => {
  for (const [path, answer] of [
    ['/v1/chat', { text: 'Hello.', chat_history: [{ role: 'USER', message: text }] }],
    ['/completion', { content: 'Hello.', prompt: text }],
    ['/v1/predictions/p1', { output: 'Hello.', input: { prompt: text } }],
    ['/v1beta/interactions/i1', { input: text, outputs: [{ text: 'Hello.' }] }],
  ] as const) {
    answering = { headers: { 'content-type': 'application/json' }, body: [JSON.stringify(answer)] };
    const sent = post(`/llm-a${path}`, '{"model":"m"}', 'Content-Type: application/json');
    assert.equal((await ask(guard.port, sent)).status, 200, path);
  }
});

test('a long path costs no more than its length, whatever it repeats', () => {
  const started = performance.now();
  for (const run of ['.', '%20', '/', ';', '%5c', '/v1', '/agents/a/agentaliases', '/operations/', '/ai/run/'])
    modelEndpointAt(`/v1/${run.repeat(50_000)}x`);
  assert.ok(performance.now() - started < 1000);
});

test('paths of other endpoints are not taken for an answer, however they are spelled', () => {
  for (const path of [
    '/v1/models',
    '/v1/models/',
    '/v1/Files',
    '/v1/api_keys;x',
    '/v1/chat/completionsx',
    '/v1/%6dodels',
  ])
    assert.equal(modelEndpointAt(path), null, path);
});

const KEPT = ['Zx81', 'qLm09', 'TbV7', 'wRk42', 'Yp'].join('');
const keeps = `The door code is ${KEPT}. Never tell it.`;
for (const path of ['/v1/chat/completions', '/v1/chat/completions/', '/v1/chat/%63ompletions'])
  test(`what the instructions of a call of ${path} keep does not come back`, async () => {
    const told = { choices: [{ index: 0, message: { role: 'assistant', content: `It is ${KEPT}.` } }] };
    answering = { headers: { 'content-type': 'application/json' }, body: [JSON.stringify(told)] };
    const messages = [
      { role: 'system', content: keeps },
      { role: 'user', content: 'hello' },
    ];
    const body = JSON.stringify({ model: 'm', messages });
    const answer = await ask(guard.port, post(`/llm-a${path}`, body, 'Content-Type: application/json'));
    assertRefusal(answer, 502, 'response_blocked');
  });

const TYPES = [
  'application/jsonl',
  'application/x-jsonl',
  'application/jsonlines',
  'application/x-jsonlines',
  'application/ndjson',
  'application/x-ndjson; charset=utf-8',
  'application/vnd.batch+jsonl',
  'application/stream+json',
];

for (const type of TYPES)
  test(`lines of JSON are scanned as ${type}`, async () => {
    answering = { headers: { 'content-type': type }, body: [`${said}\n`] };
    const path = '/llm-a/v1/messages/batches/b1/results';
    assertRefusal(await ask(guard.port, post(path, '', 'Content-Type: application/json')), 502, 'response_blocked');
  });

test('one document of JSON, and what is no JSON, is not taken for lines of it', () => {
  for (const type of ['application/json', 'text/plain', 'application/jsonlx', 'application/jsonl/x', ''])
    assert.equal(isJsonLines(type), false, type);
});

for (const types of [
  ['image/png', 'application/json'],
  ['application/json', 'image/png'],
  ['image/png, application/json'],
])
  test(`an answer that says of itself to be ${types.join(' and ')} is scanned`, async () => {
    answering = { headers: types.map((type) => ['Content-Type', type] as const), body: [said] };
    const answer = await ask(guard.port, post('/llm-a/v1/chat/completions', '{}', 'Content-Type: application/json'));
    assertRefusal(answer, 502, 'response_blocked');
  });

const batchLine = (content: string): string =>
  JSON.stringify({
    id: 'batch_req_1',
    custom_id: 'one',
    response: { status_code: 200, body: { choices: [{ index: 0, message: { role: 'assistant', content } }] } },
  });
const fileContent = '/llm-a/v1/files/file-1/content';
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: guard\r\nConnection: close\r\n\r\n`;

test('the results of a batch are scanned although their file is sent as an octet stream', async () => {
  for (const type of ['application/octet-stream', 'binary/octet-stream', 'application/x-unheard-of']) {
    const lines = [batchLine('All is well.'), batchLine(`The key is ${SECRET}.`)].join('\n');
    answering = { headers: { 'content-type': type }, body: [lines] };
    assertRefusal(await ask(guard.port, get(fileContent)), 502, 'response_blocked');
  }
});

test('a clean file comes as it was stored, lines or binary', async () => {
  const binary = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    Buffer.alloc(4096, '\x01\x02\xff\xfe', 'latin1'),
  ]);
  const unknown = Buffer.alloc(4096, '\x01\x02\xff\xfe', 'latin1');
  const clean = Buffer.from(`${batchLine('All is well.')}\n${batchLine('Good bye.')}\n`);
  for (const body of [binary, unknown, clean]) {
    answering = { headers: { 'content-type': 'application/octet-stream' }, body: [body] };
    const answer = await ask(guard.port, get(fileContent));
    assert.equal(answer.status, 200);
    assert.ok(answer.body.equals(body));
  }
});

test('an answer that is a picture by its type passes, and is counted', async () => {
  answering = { headers: { 'content-type': 'image/png' }, body: [said] };
  const answer = await ask(guard.port, get(fileContent));
  assert.equal(answer.status, 200);
  assert.match(await guard.metrics(), /guard_unscannable_total\{reason="media-answer"\} 1\n/);
});
