/** What an upstream may answer that would crash, hang or confuse a proxy; docs/security.md numbers the traps. */
import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import test from 'node:test';
import { startGuard } from './helpers/guard.ts';
import { startPair } from './helpers/pair.ts';
import { ask, get, openClient, post } from './helpers/raw-client.ts';
import type { Answer } from './helpers/recorder.ts';
import { assertRefusal } from './helpers/refusals.ts';

const HOSTILE: Readonly<Record<string, string>> = {
  'status 099': 'HTTP/1.1 099 no\r\nContent-Length: 0\r\n\r\n',
  'status 000': 'HTTP/1.1 000 no\r\nContent-Length: 0\r\n\r\n',
  'status 600': 'HTTP/1.1 600 no\r\nContent-Length: 0\r\n\r\n',
  'status 999': 'HTTP/1.1 999 no\r\nContent-Length: 0\r\n\r\n',
  'status of four digits': 'HTTP/1.1 2000 no\r\nContent-Length: 0\r\n\r\n',
  'no status': 'HTTP/1.1\r\nContent-Length: 0\r\n\r\n',
  'HTTP/0.9': '<html>hello</html>',
  'HTTP/2': 'HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n',
  'another protocol': 'SSH-2.0-server\r\n\r\n',
  'a control character in the status text': 'HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n',
  'a length beside a coding':
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
  'a coding below the chunks': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
  'a coding in a line of its own':
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
  'a coding without chunks': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nabc',
  'chunks in chunks':
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\nb\r\n1\r\na\r\n0\r\n\r\n\r\n0\r\n\r\n',
  'chunks below another coding': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, identity\r\n\r\n1\r\na\r\n0\r\n\r\n',
  'a coding that nobody knows': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
  'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
  'a negative length': 'HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc',
  'a NUL in a header': 'HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n',
  'a bare CR in a header': 'HTTP/1.1 200 OK\r\nX: a\rSet-Cookie: b\r\nContent-Length: 0\r\n\r\n',
  'a header without a colon': 'HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 0\r\n\r\n',
  'a space in a header name': 'HTTP/1.1 200 OK\r\nX Y: z\r\nContent-Length: 0\r\n\r\n',
  'a header of 100 kB': `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
  '1000 headers before the length, which Node would drop': `HTTP/1.1 200 OK\r\n${'a:\r\n'.repeat(1000)}Content-Length: 2\r\n\r\nok`,
  'an upgrade that nobody asked for':
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
};

test('an answer that is no sound HTTP is a 502 in the envelope, and the process goes on', async (t) => {
  const { guard, upstream } = await startPair(t, ({ target }): Answer => ({
    raw: Buffer.from(
      HOSTILE[decodeURIComponent(target.slice(1))] ?? 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      'latin1',
    ),
  }));
  for (const name of Object.keys(HOSTILE)) {
    const answer = await ask(guard.port, post(`/llm-a/${encodeURIComponent(name)}`, 'hi'));
    if (name === 'a control character in the status text' && answer.status === 200) {
      assert.equal(answer.reason, 'OK', 'its words are replaced');
      continue;
    }
    assertRefusal(answer, 502, 'upstream_invalid', name);
    assert.equal((await ask(guard.port, get('/llm-a/fine'))).body.toString(), 'ok', `after ${name}`);
  }
  assert.deepEqual(upstream.violations, []);
  assert.match(await guard.metrics(), /guard_upstream_faults_total\{upstream="llm-a",fault="invalid"\} 2\d/);
});

// The bytes past the announced length are the beginning of what a parser would take for the next answer.
test('bytes behind a complete answer are not given to the next client', async (t) => {
  const extra = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil';
  const { guard } = await startPair(t, ({ index }) => (index % 2 === 0 ? { raw: extra } : { body: 'mine' }));
  for (let i = 0; i < 6; i += 1) {
    const answer = await ask(guard.port, get('/llm-a/x'));
    assert.equal(answer.body.toString(), i % 2 === 0 ? 'ok' : 'mine');
    assert.equal(answer.values('content-length').length, 1);
  }
});

// http-proxy keeps the upstream's headers on a response that its error handler then answers with its own body.
test('a refusal after a head that could not be relayed carries no header of the upstream', async (t) => {
  const raw = `HTTP/1.1 200 OK\r\nX-Upstream: 1\r\nSet-Cookie: a=b\r\nContent-Length: 7\r\n${'a:\r\n'.repeat(1000)}\r\n1234567`;
  const { guard } = await startPair(t, { raw });
  const answer = await ask(guard.port, get('/llm-a/x'));
  assertRefusal(answer, 502, 'upstream_invalid');
  for (const name of ['x-upstream', 'set-cookie', 'a']) assert.deepEqual(answer.values(name), []);
});

// http-proxy throws from its emitter when nobody listens for errors, and its handler may run twice for one request.
test('an upstream that refuses connections is a 502, once, for every kind of request', async (t) => {
  const guard = await startGuard({
    upstreams: { 'llm-a': { url: 'http://127.0.0.1:1' } },
    config: { scanner: { enabled: false } },
  });
  t.after(() => guard.close());
  for (const bytes of [get('/llm-a/x'), post('/llm-a/x', 'hi'), post('/llm-a/x', Buffer.alloc(1_000_000))]) {
    const client = await openClient(guard.port);
    client.say(bytes);
    await client.heard(1);
    client.say(get('/healthz'));
    const [refused, healthy, ...more] = await client.heard(2);
    assertRefusal(refused, 502, 'upstream_unreachable');
    assert.equal(healthy?.status, 200);
    assert.deepEqual(more, []);
    client.leave();
  }
  assert.match(await guard.metrics(), /guard_upstream_faults_total\{upstream="llm-a",fault="unreachable"\} 3\n/);
});

test('a name that does not resolve is a 502', async (t) => {
  const guard = await startGuard({
    upstreams: { 'llm-a': { url: 'http://nowhere.invalid' } },
    config: { scanner: { enabled: false } },
  });
  t.after(() => guard.close());
  assertRefusal(await ask(guard.port, get('/llm-a/x')), 502, 'upstream_unreachable');
});

// A 103 would reach clients that take it for the answer; Node's client drops it, and nothing may put it back.
test('informational answers are dropped and the final one is relayed', async (t) => {
  const { guard } = await startPair(t, {
    raw: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  });
  const client = await openClient(guard.port);
  client.say(get('/llm-a/x'));
  await client.heard(1);
  assert.deepEqual(
    client.answers().map(({ status }) => status),
    [200],
  );
  client.leave();
});

// followRedirects would carry the client's credentials to whatever host the upstream names.
test('a redirect is the answer and is not followed', async (t) => {
  const { guard, upstream } = await startPair(t, { status: 307, headers: { Location: '/elsewhere' } });
  const answer = await ask(guard.port, post('/llm-a/x', 'hi', 'Authorization: Bearer a'));
  assert.equal(answer.status, 307);
  assert.equal(answer.value('location'), '/elsewhere');
  assert.equal(upstream.requests.length, 1);
});

// The body was read here first, so the upstream has all of it whenever it answers: nothing of ours is lost to a reset.
test('an upstream that answers before it has read the body is heard', async (t) => {
  const { guard } = await startPair(
    t,
    { status: 413, body: 'too much', end: 'clean' },
    { recorder: { answerAt: 'head' } },
  );
  const answer = await ask(guard.port, post('/llm-a/x', Buffer.alloc(5_000_000)));
  assert.equal(answer.status, 413);
  assert.equal(answer.body.toString(), 'too much');
});

test('an upstream that answers and never reads the rest of the body keeps neither the connection nor a place for others', async (t) => {
  const held = new Set<Socket>();
  const server = createServer((socket) => {
    held.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => held.delete(socket));
    socket.once('data', () => {
      socket.pause();
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of held) socket.destroy();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const guard = await startGuard({
    upstreams: { 'llm-a': { url, max_sockets: 1, queue_timeout_ms: 20_000 } },
    config: { security: { max_request_bytes: 40_000_000 }, scanner: { enabled: false } },
  });
  t.after(() => guard.close());
  // More than the buffers of both ends of a connection take.
  const body = Buffer.alloc(40_000_000, 'a');
  for (let i = 0; i < 2; i += 1) {
    const answer = await fetch(`${guard.url}/llm-a/x`, { method: 'POST', body });
    assert.equal(await answer.text(), 'ok');
  }
});
