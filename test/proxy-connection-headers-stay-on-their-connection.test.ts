/** Hop-by-hop headers in both directions, the Host, and offers of other protocols; docs/security.md numbers the traps. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startPair } from './helpers/pair.ts';
import { ask, get, openClient, post, talk } from './helpers/raw-client.ts';
import { assertRefusal } from './helpers/refusals.ts';

// http-proxy forwards all of them: the client would negotiate with the upstream over a connection that is ours.
test('headers of one connection, and those that Connection names, stop here on their way up', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  const dropped = [
    'Keep-Alive: timeout=5',
    'Proxy-Connection: keep-alive',
    'Proxy-Authorization: Basic eDp5',
    'Proxy-Authenticate: Basic',
    'TE: trailers',
    'Trailer: X-Sum',
    'X-Internal: 1',
    'X-Other: 2',
  ];
  await ask(
    guard.port,
    post('/llm-a/x', 'hi', 'Connection: keep-alive, X-Internal,x-other ,,', ...dropped, 'X-Kept: 3'),
  );
  const names = upstream.requests[0]!.headers.map(([name]) => name.toLowerCase());
  assert.deepEqual(names.sort(), ['connection', 'content-length', 'host', 'x-kept']);
  assert.deepEqual(upstream.requests[0]!.values('connection'), ['keep-alive']);
});

// `Connection: authorization` would otherwise let a client strip what the upstream decides by.
test('Connection cannot take away the framing, the host or a credential', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  const connection =
    'Connection: content-length, host, authorization, x-api-key, content-type, content-encoding, cookie';
  const lines = [
    'Authorization: Bearer a',
    'x-api-key: b',
    'Content-Type: text/plain',
    'Content-Encoding: identity',
    'Cookie: c=d',
  ];
  await ask(guard.port, post('/llm-a/x', 'hi', connection, ...lines));
  const seen = upstream.requests[0]!;
  for (const line of [...lines, 'Content-Length: 2', `Host: 127.0.0.1:${upstream.port}`]) {
    const [name = '', value] = line.split(': ');
    assert.deepEqual(seen.values(name), [value], name);
  }
});

test('headers of the upstream connection stop here on their way down', async (t) => {
  const { guard } = await startPair(t, {
    headers: [
      ['Connection', 'X-Internal, keep-alive'],
      ['Keep-Alive', 'timeout=1, max=1'],
      ['Proxy-Authenticate', 'Basic'],
      ['Trailer', 'X-Sum'],
      ['Upgrade', 'h2c'],
      ['X-Internal', '1'],
      ['X-Kept', '2'],
    ],
    body: 'ok',
  });
  const answer = await ask(guard.port, get('/llm-a/x'));
  const names = answer.headers.map(([name]) => name.toLowerCase()).sort();
  assert.deepEqual(names, [
    'connection',
    'content-length',
    'date',
    'keep-alive',
    'x-guard-scanned',
    'x-kept',
    'x-request-id',
  ]);
  assert.notEqual(answer.value('keep-alive'), 'timeout=1, max=1');
});

// Without an agent http-proxy says `Connection: close` upstream, and copies the upstream's own to the client.
test('an upstream that closes its connection does not close the client connection', async (t) => {
  const { guard } = await startPair(t, { headers: { Connection: 'close' }, body: 'ok' });
  const answers = await talk(guard.port, get('/llm-a/x') + get('/llm-a/x'), 2);
  assert.deepEqual(
    answers.map(({ status, value }) => [status, value('connection')]),
    [
      [200, 'keep-alive'],
      [200, 'keep-alive'],
    ],
  );
});

// With changeOrigin off the client's Host goes upstream; virtual hosts behind the upstream would be the client's to choose.
test('the upstream sees its own name as Host, whatever the client calls it', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  await ask(guard.port, 'GET /llm-a/x HTTP/1.1\r\nHost: victim.example\r\n\r\n');
  await ask(guard.port, 'GET http://victim.example/llm-a/x HTTP/1.1\r\nHost: other.example\r\n\r\n');
  await ask(guard.port, 'GET /llm-a/x HTTP/1.1\r\nHost:\r\n\r\n');
  for (const { values } of upstream.requests) assert.deepEqual(values('host'), [`127.0.0.1:${upstream.port}`]);
});

// xfwd appends to what the client claims; what we do not vouch for goes through as the claim it is, with nothing added.
test('nothing is added to forwarding headers that the client sent', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  const claims = [
    'X-Forwarded-For: 1.2.3.4',
    'X-Forwarded-Host: a',
    'X-Forwarded-Proto: https',
    'Forwarded: for=1.2.3.4',
    'Via: 1.1 b',
  ];
  await ask(guard.port, get('/llm-a/x', ...claims));
  await ask(guard.port, get('/llm-a/x'));
  for (const claim of claims) {
    const [name = '', value] = claim.split(': ');
    assert.deepEqual(
      upstream.requests.map(({ values }) => values(name)),
      [[value], []],
    );
  }
});

test('a trailer is neither forwarded nor merged into the headers, in either direction', async (t) => {
  const { guard, upstream } = await startPair(t, {
    raw: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\nSet-Cookie: a=b\r\n\r\n',
  });
  const chunked = '2\r\nhi\r\n0\r\nX-Sum: 1\r\nAuthorization: Bearer a\r\n\r\n';
  const answer = await ask(
    guard.port,
    `POST /llm-a/x HTTP/1.1\r\nHost: h\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
  );
  assert.equal(answer.body.toString(), 'ok');
  for (const name of ['x-sum', 'set-cookie', 'trailer']) assert.deepEqual(answer.values(name), []);
  for (const name of ['x-sum', 'authorization', 'trailer']) assert.deepEqual(upstream.requests[0]!.values(name), []);
});

// http-proxy's ws() leaves the socket without an error listener until the upstream answers: a reset ends the process.
test('a WebSocket handshake is refused, and a reset right after it harms nobody', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  const handshake = get('/llm-a/v1/realtime', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13');
  const answer = await ask(guard.port, handshake);
  assertRefusal(answer, 426, 'upgrade_required');
  assert.equal(answer.value('upgrade'), 'HTTP/1.1');
  for (let i = 0; i < 20; i += 1) {
    const client = await openClient(guard.port);
    client.say(handshake);
    client.reset();
  }
  assert.equal((await ask(guard.port, get('/llm-a/x'))).status, 200);
  assert.deepEqual(
    upstream.requests.map(({ target }) => target),
    ['/x'],
  );
});

// Java's HttpClient offers h2c with every first call; refusing the offer would refuse the client.
test('an offer of h2c is answered in HTTP/1.1 and not passed on', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  const offer = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];
  const answer = await ask(guard.port, post('/llm-a/x', 'hi', ...offer));
  assert.equal(answer.status, 200);
  for (const name of ['upgrade', 'http2-settings']) assert.deepEqual(upstream.requests[0]!.values(name), []);
  assert.deepEqual(upstream.requests[0]!.values('connection'), ['keep-alive']);
});

test('CONNECT and the preface of HTTP/2 are refused in the envelope and reach nobody', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  assertRefusal(
    await ask(guard.port, 'CONNECT victim.example:443 HTTP/1.1\r\nHost: victim.example\r\n\r\n'),
    405,
    'method_not_allowed',
  );
  assertRefusal(await ask(guard.port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 400, 'bad_request');
  assert.equal(upstream.requests.length, 0);
});

// The method that was judged, logged and limited must be the one that is run.
test('headers that ask the upstream to run another method are taken off', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  await ask(
    guard.port,
    post('/llm-a/x', 'hi', 'X-HTTP-Method-Override: DELETE', 'x-http-method: DELETE', 'X-Method-Override: PUT'),
  );
  assert.equal(upstream.requests[0]!.method, 'POST');
  const names = upstream.requests[0]!.headers.map(([name]) => name.toLowerCase());
  assert.deepEqual(
    names.filter((name) => name.includes('method')),
    [],
  );
});

// CGI, WSGI, Rack and PHP make one name of `Content-Length` and `Content_Length`.
test('a header that is taken off is taken off in its spelling with underscores, too', async (t) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  const twins = [
    'Transfer_Encoding: chunked',
    'Content_Length: 1',
    'Content_Encoding: gzip',
    'Content_Type: application/json; charset=utf-7',
    'X_HTTP_Method_Override: DELETE',
    'X-HTTP_Method: DELETE',
    'Proxy_Authorization: Basic a',
    'X_Guard_Scanned: true',
  ];
  const answer = await ask(
    guard.port,
    post('/llm-a/x', 'hi', ...twins, 'my_header: stays', 'Content-Encoding: identity', 'Content-Type: text/plain'),
  );
  assert.equal(answer.status, 200);
  const names = upstream.requests[0]!.headers.map(([name]) => name.toLowerCase());
  assert.deepEqual(
    names.filter((name) => !['host', 'connection'].includes(name)),
    ['my_header', 'content-encoding', 'content-type', 'content-length'],
  );
});
