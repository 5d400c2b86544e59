/** A clean call reaches the upstream as the client made it: method, path, query, headers in their order, body to the byte. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { startPair } from './helpers/pair.ts';
import { ask, get, openClient, post } from './helpers/raw-client.ts';

test('path and query arrive byte for byte below the base path of the upstream', async (t) => {
  const rests = [
    '/v1/chat/completions',
    '/v1/messages?beta=true',
    '/v1/files?after=file%5Fabc&limit=10&order=',
    '/v1/models/org%2Fmodel%3Alatest',
    '/a%20b+c/%E2%82%AC/%e2%82%ac',
    "/!$&'()*+,;=:@-._~",
    '/?a[]=1&a[]=2&&=',
    '/x?y={"z":"[|]^`"}',
    '',
    '/',
  ];
  for (const basePath of ['', '/', '/api/v1', '/api/v1/']) {
    const { guard, upstream } = await startPair(t, { body: 'ok' }, { basePath });
    for (const rest of rests) {
      await ask(guard.port, get(`/llm-a${rest}`));
      const base = basePath.replace(/\/$/, '');
      assert.equal(upstream.requests.at(-1)?.target, base + rest === '' ? '/' : base + rest);
    }
  }
});

test('every method that the parser knows reaches the upstream, with a body where it had one', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  for (const method of http.METHODS.filter((each) => each !== 'CONNECT')) {
    for (const body of ['', `body of ${method}`]) {
      const before = upstream.requests.length;
      const client = await openClient(guard.port, method === 'HEAD' ? ['HEAD'] : []);
      const framing = body === '' ? '' : `Content-Length: ${body.length}\r\n`;
      client.say(`${method} /llm-a/x HTTP/1.1\r\nHost: h\r\n${framing}\r\n${body}`);
      await client.heard(1);
      client.leave();
      const [seen, ...more] = upstream.requests.slice(before);
      assert.deepEqual([seen?.method, seen?.body.toString(), more.length], [method, body, 0]);
    }
  }
  assert.deepEqual(upstream.violations, []);
});

/** What the SDKs of the providers send (reference list of the wire formats), spelled as they spell it. */
const SDK_HEADERS = [
  ['authorization', 'Bearer sk-test'],
  ['x-api-key', 'key-test'],
  ['openai-organization', 'org-1'],
  ['openai-project', 'proj-1'],
  ['OpenAI-Beta', 'assistants=v2'],
  ['anthropic-version', '2023-06-01'],
  ['anthropic-beta', 'prompt-caching-2024-07-31,max-tokens-3-5-sonnet-2024-07-15'],
  ['anthropic-dangerous-direct-browser-access', 'true'],
  ['x-stainless-lang', 'js'],
  ['x-stainless-os', 'Linux'],
  ['x-stainless-arch', 'x64'],
  ['x-stainless-runtime', 'node'],
  ['x-stainless-runtime-version', 'v20.20.2'],
  ['x-stainless-package-version', '6.0.0'],
  ['x-stainless-retry-count', '0'],
  ['x-stainless-timeout', '600'],
  ['x-stainless-helper-method', 'stream'],
  ['Idempotency-Key', 'stainless-node-retry-1'],
  ['HTTP-Referer', 'https://app.example'],
  ['X-OpenRouter-Title', 'App'],
  ['X-OpenRouter-Categories', 'a,b'],
  ['X-OpenRouter-Metadata', 'true'],
  ['X-Title', 'App'],
  ['cookie', ''],
  ['user-agent', 'OpenAI/JS 6.0.0'],
  ['accept', 'application/json'],
  ['accept-encoding', 'gzip, deflate, br, zstd'],
  ['accept-language', '*'],
  ['sec-fetch-mode', 'cors'],
  ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ['tracestate', 'a=b'],
  ['baggage', 'c=d'],
  ['Content-Type', 'application/json; charset=utf-8'],
  ['X-Request-ID', 'client-1'],
  ['Range', 'bytes=0-1'],
  ['If-None-Match', '"etag"'],
  ['Origin', 'https://app.example'],
  ['Cache-Control', 'no-cache'],
] as const;

test('every header that an SDK sends arrives, in its spelling, its order and its value', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  await ask(
    guard.port,
    post('/llm-a/x', '{}', ...SDK_HEADERS.map(([name, value]) => `${name}: ${value}`), 'Connection: keep-alive'),
  );
  const seen = upstream.requests[0]!.headers.filter(
    ([name]) => !['Host', 'Content-Length', 'Connection'].includes(name),
  );
  assert.deepEqual(
    seen,
    SDK_HEADERS.map(([name, value]) => [name, value]),
  );
});

test('repeated headers stay repeated, and bytes above ASCII stay the bytes they are', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  await ask(
    guard.port,
    post(
      '/llm-a/x',
      '{}',
      'X-Two: 1',
      'X-Between: -',
      'X-Two: 2',
      'x-two: 3',
      'X-Bytes: caf\xe9 \xff',
      'X-Empty:',
      'X-Long: ' + 'y'.repeat(8000),
    ),
  );
  const seen = upstream.requests[0]!;
  assert.deepEqual(seen.values('x-two'), ['1', '2', '3']);
  assert.deepEqual(seen.values('x-bytes'), ['caf\xe9 \xff']);
  assert.deepEqual(seen.values('x-empty'), ['']);
  assert.equal(seen.values('x-long')[0]?.length, 8000);
});

test('nothing is added to a request but Host, Connection and the length of its body', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  await ask(guard.port, get('/llm-a/x'));
  await ask(guard.port, post('/llm-a/x', 'hi'));
  const names = upstream.requests.map(({ headers }) => headers.map(([name]) => name.toLowerCase()).sort());
  assert.deepEqual(names, [
    ['connection', 'host'],
    ['connection', 'content-length', 'host'],
  ]);
});

test('bodies of every size and kind arrive byte for byte with their exact length', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  const awkward = '{"a":1,\n  "a" : 2.0e+01, "big":12345678901234567890, "\\u0062": "\\ud83d\\ude00"}  \n';
  const bodies = [
    Buffer.alloc(0),
    Buffer.from('x'),
    Buffer.from(awkward),
    randomBytes(65_536),
    randomBytes(65_537),
    randomBytes(5_000_000),
    gzipSync(awkward),
  ];
  for (const body of bodies) {
    await ask(guard.port, post('/llm-a/x', body, 'Content-Encoding: gzip'));
    const seen = upstream.requests.at(-1)!;
    assert.ok(seen.body.equals(body), `${body.length} bytes`);
    assert.deepEqual(seen.values('content-length'), [String(body.length)]);
    assert.deepEqual(seen.values('content-encoding'), ['gzip']);
  }
});

test('a chunked body arrives whole under its exact length, however it was cut', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  const body = randomBytes(20_000);
  for (const size of [1, 7, 4096, 20_000]) {
    const pieces: Buffer[] = [Buffer.from('POST /llm-a/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n')];
    const end = size === 1 ? 500 : body.length;
    for (let at = 0; at < end; at += size) {
      const piece = body.subarray(at, Math.min(at + size, end));
      pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
    }
    pieces.push(Buffer.from('0\r\n\r\n'));
    await ask(guard.port, Buffer.concat(pieces));
    assert.ok(upstream.requests.at(-1)!.body.equals(body.subarray(0, end)), `chunks of ${size}`);
    assert.deepEqual(upstream.requests.at(-1)!.values('content-length'), [String(end)]);
  }
});

test('a body that trickles in byte by byte arrives whole', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  const client = await openClient(guard.port);
  for (const byte of post('/llm-a/x', 'hello')) {
    client.say(Buffer.from([byte]));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  await client.heard(1);
  client.leave();
  assert.equal(upstream.requests[0]?.body.toString(), 'hello');
});
