/** What http-proxy and Node let through between a client's request and the upstream's; docs/security.md numbers the traps. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startPair } from './helpers/pair.ts';
import { ask, get, openClient, post, talk } from './helpers/raw-client.ts';
import { assertRefusal } from './helpers/refusals.ts';

const INNER = 'POST /llm-a/inner HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n';

// http-proxy's deleteLength pass removes the framing of a chunked DELETE and still sends its body: a second request.
test('a chunked DELETE or OPTIONS reaches the upstream as one request with an exact length', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  for (const method of ['DELETE', 'OPTIONS']) {
    const before = upstream.requests.length;
    const chunk = `${INNER.length.toString(16)}\r\n${INNER}\r\n0\r\n\r\n`;
    await ask(guard.port, `${method} /llm-a/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`);
    assert.equal((await ask(guard.port, get('/llm-a/next'))).status, 200);
    const [seen, next, ...more] = upstream.requests.slice(before);
    assert.deepEqual(more, []);
    assert.equal(next?.target, '/next');
    assert.equal(seen?.body.toString(), INNER);
    assert.deepEqual(seen.values('content-length'), [String(INNER.length)]);
    assert.deepEqual(seen.values('transfer-encoding'), []);
  }
});

// Past 1000 header lines Node drops the rest without a word; the dropped one may be the framing of the body.
test('a length hidden behind a thousand headers is counted, refused and never loses its body to the next request', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST']) {
    const filler = 'a:\r\n'.repeat(1000);
    const client = await openClient(guard.port);
    client.say(`${method} /llm-a/x HTTP/1.1\r\nHost: h\r\n${filler}Content-Length: ${INNER.length}\r\n\r\n${INNER}`);
    await client.ended();
    assert.equal(/^HTTP\/1\.1 (\d+)/.exec(client.bytes.toString())?.[1], '431', method);
  }
  assert.equal(upstream.requests.length, 0);
});

// url.parse throws on some absolute forms; http-proxy calls it without a try.
test('a target that breaks the URL parser does not break the process', async (t) => {
  const { guard } = await startPair(t, { body: 'ok' });
  for (const target of ['http://[::1/llm-a/x', 'http://a.b:99999999/llm-a/x', 'http://%/llm-a/x', 'http://[/llm-a/x']) {
    const answer = await ask(guard.port, get(target));
    assert.ok([200, 400].includes(answer.status), target);
  }
  assert.equal((await ask(guard.port, get('/llm-a/x'))).status, 200);
});

// http-proxy's urlJoin merges slashes, turns `http:/` into `http://`, and cuts fragments, after the routing was decided.
test('the path that was routed is the path that is sent, byte for byte', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' }, { basePath: '/base/v9/' });
  const rests = [
    '/a//b///',
    '/http:/x',
    '/http://x//y',
    '/%2F%2f',
    '/a;b=c',
    "/~!$&'()*+,=:@",
    '/x?',
    '/x??a=//b',
    '/?',
    '//',
    '',
    '?q=1',
  ];
  for (const rest of rests) {
    await ask(guard.port, get(`/llm-a${rest}`));
    assert.equal(upstream.requests.at(-1)?.target, `/base/v9${rest}`);
  }
});

test('HTTP/0.9 and chunked HTTP/1.0 are refused, plain HTTP/1.0 is served and ended', async (t) => {
  const { guard, upstream } = await startPair(t, { framing: 'chunked', body: ['o', 'k'] });
  assertRefusal(await ask(guard.port, 'GET /llm-a/x\r\n\r\n'), 505, 'http_version_not_supported');
  const chunked = 'POST /llm-a/x HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
  assertRefusal(await ask(guard.port, chunked), 400, 'bad_request');
  assert.equal(upstream.requests.length, 0);
  const answer = await ask(guard.port, 'GET /llm-a/x HTTP/1.0\r\n\r\n');
  assert.equal(answer.body.toString(), 'ok');
  assert.deepEqual(answer.values('transfer-encoding'), [], 'HTTP/1.0 knows no chunks');
});

// Node accepts `gzip, chunked`, takes the chunks off and hands over gzip under no label.
test('a transfer coding that Node would not undo is refused before anything is read', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  const head = 'POST /llm-a/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n';
  assertRefusal(await ask(guard.port, `${head}2\r\nhi\r\n0\r\n\r\n`), 501, 'not_implemented');
  assert.equal(upstream.requests.length, 0);
});

// Left alone Node says 100 before we judge, and http-proxy skips its hooks for a request that carries Expect.
test('100 Continue is said only to a request that will be read, and Expect is not forwarded', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' }, { config: { security: { max_request_bytes: 2048 } } });
  const client = await openClient(guard.port);
  client.say('POST /llm-a/x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n');
  await client.until(() => client.answers().some(({ status }) => status === 100));
  assert.equal(upstream.requests.length, 0);
  client.say('hello');
  await client.heard(1);
  client.leave();
  assert.equal(upstream.requests[0]?.body.toString(), 'hello');
  assert.deepEqual(upstream.requests[0].values('expect'), []);
  for (const [target, length, status] of [
    ['/llm-a/x', 4096, 413],
    ['/llm-z/x', 5, 404],
    ['/readyz', 5, 405],
  ] as const) {
    const refused = await openClient(guard.port);
    refused.say(`POST ${target} HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`);
    await refused.heard(1);
    assert.deepEqual(
      refused.answers().map((answer) => answer.status),
      [status],
    );
    refused.leave();
  }
});

// A body that was read to be judged is gone from the stream that http-proxy pipes.
test('a body that was read here still arrives there, also an empty one', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  await ask(guard.port, post('/llm-a/x', 'hello'));
  await ask(guard.port, post('/llm-a/x', ''));
  await ask(guard.port, 'POST /llm-a/x HTTP/1.1\r\nHost: h\r\n\r\n');
  await ask(guard.port, 'POST /llm-a/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
  assert.deepEqual(
    upstream.requests.map(({ body, values }) => [body.toString(), values('content-length')]),
    [
      ['hello', ['5']],
      ['', ['0']],
      ['', ['0']],
      ['', ['0']],
    ],
  );
});

// Node keeps the first of two and says nothing; the next parser may keep the last.
test('a header that must be single is refused when it comes twice', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  for (const name of ['Authorization', 'X-Api-Key', 'Content-Type', 'Content-Encoding', 'Host']) {
    assertRefusal(
      await ask(guard.port, get('/llm-a/x', `${name}: a`, `${name.toLowerCase()}: b`)),
      400,
      'bad_request',
      name,
    );
  }
  assert.equal(upstream.requests.length, 0);
});

// One socket that sends 500 requests at once would become 500 calls to the upstream.
test('one connection has at most eight requests at work, however many it pipelines', async (t) => {
  const { guard, upstream } = await startPair(t, { delayMs: 100, body: 'ok' });
  const client = await openClient(guard.port);
  client.say(get('/llm-a/x').repeat(500));
  await client.ended();
  const answers = client.answers();
  assert.deepEqual(
    answers.slice(0, 8).map(({ status }) => status),
    Array(8).fill(200),
  );
  assertRefusal(answers[8], 429, 'too_many_pipelined');
  assert.equal(answers.length, 9);
  assert.equal(upstream.requests.length, 8);
  assert.equal(guard.service.inFlight(), 0);
});

test('pipelined requests are answered in their order, whichever is ready first', async (t) => {
  const { guard } = await startPair(t, ({ target }) => ({ delayMs: target === '/1' ? 60 : 0, body: target }));
  const answers = await talk(guard.port, [1, 2, 3].map((n) => get(`/llm-a/${n}`)).join(''), 3);
  assert.deepEqual(
    answers.map(({ body }) => body.toString()),
    ['/1', '/2', '/3'],
  );
});

// An error of the second would be written in front of the answer to the first.
test('garbage behind a request that waits for its answer ends the connection without a word', async (t) => {
  const { guard, upstream } = await startPair(t, { delayMs: 100, body: 'ok' });
  const client = await openClient(guard.port);
  client.say(get('/llm-a/x'));
  await upstream.waitFor(() => upstream.requests.length === 1);
  client.say('%%%\r\n\r\n');
  await client.ended();
  assert.equal(client.bytes.toString('latin1'), '');
  await upstream.waitFor(() => guard.service.inFlight() === 0);
});

test('a pipelined request whose turn never comes is closed when its client leaves', async (t) => {
  const { guard, upstream } = await startPair(t, { end: 'hang', framing: 'chunked', body: ['first'] });
  const client = await openClient(guard.port);
  client.say(get('/llm-a/x').repeat(3));
  await upstream.waitFor(() => upstream.requests.length === 3);
  client.leave();
  await upstream.waitFor(
    () => guard.service.inFlight() === 0 && upstream.connections.every(({ closed }) => closed !== null),
  );
});

test('what is pipelined behind a request that ends the connection is not acted upon', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  const client = await openClient(guard.port);
  client.say(`GET /llm-a/x HTTP/1.1\r\n\r\n${get('/llm-a/second')}`);
  await client.ended();
  const answers = client.answers();
  assert.equal(answers.length, 1);
  assertRefusal(answers[0], 400, 'bad_request');
  assert.equal(upstream.requests.length, 0);
});
