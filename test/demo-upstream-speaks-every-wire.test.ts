/** The demo upstream is what a newcomer talks to first: each wire's shapes, failures and limits, seen from outside. */
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import test from 'node:test';
import type { TestContext } from 'node:test';
import { startDemoUpstream } from '../src/demo/upstream.ts';
import type { DemoUpstreamOptions } from '../src/demo/upstream.ts';

async function demo(t: TestContext, options: DemoUpstreamOptions = {}) {
  const upstream = await startDemoUpstream({ now: () => Date.UTC(2026, 0, 2), ...options });
  t.after(() => upstream.close());
  const post = (path: string, body: unknown, headers: Record<string, string> = { authorization: 'Bearer k' }) =>
    fetch(upstream.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { upstream, post };
}

const ANTHROPIC = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
const user = [{ role: 'user', content: 'hello there' }];

interface Case {
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly contentType: string;
  readonly ends: RegExp;
}

const streams: Record<string, Case> = {
  'openai chat': {
    path: '/v1/chat/completions',
    body: { model: 'demo', messages: user, stream: true },
    headers: { authorization: 'Bearer k' },
    contentType: 'text/event-stream; charset=utf-8',
    ends: /"finish_reason":"stop"\}\]\}\n\ndata: \[DONE\]\n\n$/,
  },
  'openai responses': {
    path: '/v1/responses',
    body: { model: 'demo', input: 'hello there', stream: true },
    headers: { authorization: 'Bearer k' },
    contentType: 'text/event-stream; charset=utf-8',
    ends: /\n\nevent: response\.completed\ndata: [^\n]+\n\n$/,
  },
  'anthropic messages': {
    path: '/v1/messages',
    body: { model: 'demo', messages: user, max_tokens: 9, stream: true },
    headers: ANTHROPIC,
    contentType: 'text/event-stream; charset=utf-8',
    ends: /\n\nevent: message_stop\ndata: \{"type":"message_stop"\}\n\n$/,
  },
  'ollama chat, which streams unless told not to': {
    path: '/api/chat',
    body: { model: 'demo', messages: user },
    headers: {},
    contentType: 'application/x-ndjson',
    ends: /"done":true,[^\n]+\}\n$/,
  },
  'ollama generate, which streams unless told not to': {
    path: '/api/generate',
    body: { model: 'demo', prompt: 'hello there' },
    headers: {},
    contentType: 'application/x-ndjson',
    ends: /"done":true,[^\n]+\}\n$/,
  },
};

for (const [name, { path, body, headers, contentType, ends }] of Object.entries(streams)) {
  test(`${name} streams the answer word by word and ends as that wire ends`, async (t) => {
    const { post } = await demo(t);
    const response = await post(path, body, headers);
    const text = await response.text();
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), contentType);
    for (const word of ['You ', 'said: ', 'hello ', 'there']) assert.ok(text.includes(`"${word}"`), word);
    assert.match(text, ends);
  });

  test(`${name} answers the same request with the same bytes`, async (t) => {
    const { post } = await demo(t);
    const [first, second] = [
      await (await post(path, body, headers)).text(),
      await (await post(path, body, headers)).text(),
    ];
    assert.equal(first, second);
  });
}

test('a quoted answer carries ids in the shape of the provider', async (t) => {
  const { post } = await demo(t);
  const chat = await post('/v1/chat/completions', { model: 'demo', messages: user });
  assert.match(chat.headers.get('x-request-id') ?? '', /^req_[0-9a-f]{32}$/);
  const completion = (await chat.json()) as { id: string; choices: { message: { content: string } }[] };
  assert.match(completion.id, /^chatcmpl-[1-9A-Za-z]{29}$/);
  assert.equal(completion.choices[0]?.message.content, 'You said: hello there');
  const messages = await post('/v1/messages', { model: 'demo', max_tokens: 9, messages: user }, ANTHROPIC);
  assert.match(messages.headers.get('request-id') ?? '', /^req_011[1-9A-Za-z]{21}$/);
  const message = (await messages.json()) as { id: string; content: unknown };
  assert.match(message.id, /^msg_01[1-9A-Za-z]{22}$/);
  assert.deepEqual(message.content, [{ type: 'text', text: 'You said: hello there' }]);
});

const tool = (name: string) => ({
  type: 'function',
  function: {
    name,
    parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  },
});

test('every tool named in the text is called at once, and only one when calls may not be parallel', async (t) => {
  const { post } = await demo(t);
  const body = {
    model: 'demo',
    messages: [{ role: 'user', content: 'use weather and news' }],
    tools: [tool('weather'), tool('sport'), tool('news')],
  };
  const called = async (extra: object) => {
    const answer = (await (await post('/v1/chat/completions', { ...body, ...extra })).json()) as {
      choices: {
        finish_reason: string;
        message: { tool_calls?: { function: { name: string; arguments: string } }[] };
      }[];
    };
    return answer.choices[0]?.message.tool_calls?.map(({ function: { name } }) => name) ?? [];
  };
  assert.deepEqual(await called({}), ['weather', 'news']);
  assert.deepEqual(await called({ parallel_tool_calls: false }), ['weather']);
  assert.deepEqual(await called({ tool_choice: 'none' }), []);
  assert.deepEqual(await called({ tool_choice: { type: 'function', function: { name: 'sport' } } }), ['sport']);
});

const errors = {
  openai: { path: '/v1/chat/completions', credential: { authorization: 'Bearer k' }, rest: { messages: user } },
  anthropic: { path: '/v1/messages', credential: ANTHROPIC, rest: { messages: user, max_tokens: 9 } },
} as const;

test('a call without a credential is refused in the words of each provider, unless any key will do', async (t) => {
  const { post } = await demo(t);
  const openai = await post(errors.openai.path, { model: 'demo', messages: user }, {});
  assert.equal(openai.status, 401);
  assert.deepEqual(await openai.json(), {
    error: { message: 'No credential was sent.', type: 'invalid_request_error', param: null, code: 'invalid_api_key' },
  });
  const anthropic = await post(errors.anthropic.path, { model: 'demo' }, { 'anthropic-version': '2023-06-01' });
  assert.equal(anthropic.status, 401);
  const body = (await anthropic.json()) as { type: string; error: unknown; request_id: string };
  assert.equal(body.type, 'error');
  assert.deepEqual(body.error, { type: 'authentication_error', message: 'No credential was sent.' });
  assert.equal(body.request_id, anthropic.headers.get('request-id'));
  const open = await demo(t, { anyKey: true });
  assert.equal((await open.post(errors.openai.path, { model: 'demo', messages: user }, {})).status, 200);
});

test('the name of the model asks for a failure, with the headers that tell an SDK whether to retry', async (t) => {
  const { post } = await demo(t, { retryAfterMs: 1500 });
  for (const { path, credential, rest } of Object.values(errors)) {
    for (const [status, kinds] of [
      [429, ['requests', 'rate_limit_error']],
      [500, ['server_error', 'api_error']],
    ] as const) {
      const response = await post(path, { model: `fail-${status}`, ...rest }, credential);
      assert.equal(response.status, status);
      assert.equal(response.headers.get('retry-after'), '2');
      assert.equal(response.headers.get('retry-after-ms'), '1500');
      assert.equal(response.headers.get('x-should-retry'), 'true');
      const body = (await response.json()) as { error: { type: string } };
      assert.ok((kinds as readonly string[]).includes(body.error.type), body.error.type);
      const final = await post(path, { model: `fail-${status}-final`, ...rest }, credential);
      assert.equal(final.headers.get('x-should-retry'), 'false');
      assert.equal(final.headers.get('retry-after'), null);
    }
  }
  const ollama = await post('/api/chat', { model: 'fail-404', messages: user }, {});
  assert.equal(ollama.status, 404);
  assert.deepEqual(await ollama.json(), { error: "There is no model 'fail-404'." });
});

test('an unknown path, a wrong method, a body that is no JSON object and one that is too large are refused', async (t) => {
  const { upstream, post } = await demo(t, { maxBodyBytes: 100 });
  const body = { model: 'demo', messages: user };
  assert.equal((await post('/v1/nothing', body)).status, 404);
  assert.equal((await post('/v1/__proto__', body)).status, 404);
  assert.equal((await post('/v1/chat/completions', '[]')).status, 400);
  assert.equal((await post('/v1/chat/completions', '{"model":')).status, 400);
  assert.equal((await post('/v1/chat/completions', { messages: user })).status, 400);
  assert.equal((await post('/v1/chat/completions', { ...body, pad: 'x'.repeat(60) })).status, 413);
  const wrong = await fetch(`${upstream.url}/v1/chat/completions`);
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get('allow'), 'POST');
  assert.deepEqual(
    upstream.requests.map(({ status }) => status),
    [404, 404, 400, 400, 400, 413, 405],
  );
});

test('a slow stream takes its time', async (t) => {
  const { post } = await demo(t, { slowMs: 20 });
  const started = performance.now();
  const slow = { model: 'demo-slow', messages: user, stream: true };
  await (await post('/v1/chat/completions', slow)).text();
  const took = performance.now() - started;
  assert.ok(took >= 100, `seven frames, 20 ms apart, came in ${took} ms`);
});

test('an echo longer than its bound is cut between characters', async (t) => {
  const { post } = await demo(t);
  const content = `${'a'.repeat(3999)}😀😀`;
  const response = await post('/v1/chat/completions', { model: 'demo', messages: [{ role: 'user', content }] });
  const answer = (await response.json()) as { choices: { message: { content: string } }[] };
  assert.equal(answer.choices[0]?.message.content, `You said: ${'a'.repeat(3999)}…`);
});

test('the lists of models come in the shape of whoever asks', async (t) => {
  const { upstream } = await demo(t);
  const get = async (path: string, headers: Record<string, string>) =>
    (await (await fetch(upstream.url + path, { headers })).json()) as Record<string, unknown>;
  assert.equal((await get('/v1/models', { authorization: 'Bearer k' }))['object'], 'list');
  assert.equal((await get('/api/v1/models', { authorization: 'Bearer k' }))['object'], 'list');
  assert.equal((await get('/v1/models', ANTHROPIC))['has_more'], false);
  assert.ok(Array.isArray((await get('/api/tags', {}))['models']));
});
