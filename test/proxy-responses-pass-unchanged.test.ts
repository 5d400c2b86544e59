/** An answer reaches the client as the upstream gave it: status, words, headers in their order, body to the byte. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { startPair } from './helpers/pair.ts';
import { ask, get, openClient, talk } from './helpers/raw-client.ts';
import type { Answer } from './helpers/recorder.ts';

const OURS = ['x-request-id', 'x-guard-scanned', 'date', 'connection', 'keep-alive'];

test('headers come back in their spelling, order and repetition, with nothing added but ours', async (t) => {
  const headers = [
    ['Content-Type', 'application/json'],
    ['request-id', 'req_1'],
    ['x-ratelimit-remaining-tokens', '149984'],
    ['retry-after-ms', '20'],
    ['x-should-retry', 'true'],
    ['Set-Cookie', 'a=1; Path=/; HttpOnly'],
    ['X-Two', '1'],
    ['set-cookie', 'b=2, c=3'],
    ['x-two', '2'],
    ['Strict-Transport-Security', 'max-age=31536000'],
    ['Server', 'upstream'],
    ['Vary', 'Accept-Encoding, Origin'],
    ['X-Bytes', 'caf\xe9'],
    ['X-Empty', ''],
    ['Content-Length', '2'],
  ] as const;
  const { guard } = await startPair(t, { headers, body: 'ok' });
  const answer = await ask(guard.port, get('/llm-a/x'));
  assert.deepEqual(
    answer.headers.filter(([name]) => !OURS.includes(name.toLowerCase())),
    headers.map(([name, value]) => [name, value]),
  );
  for (const name of OURS) assert.equal(answer.values(name).length, 1, name);
});

test('the status and the words of its line come back, for success and for every kind of failure', async (t) => {
  const statuses = [
    200, 201, 202, 206, 226, 299, 300, 301, 400, 401, 402, 403, 404, 409, 413, 418, 422, 429, 451, 499, 500, 501, 503,
    529, 599,
  ];
  const { guard } = await startPair(t, ({ target }): Answer => ({
    status: Number(target.slice(1)),
    reason: `Words of ${target}`,
    body: `{"error":{"own":"${target}"}}`,
  }));
  for (const status of statuses) {
    const answer = await ask(guard.port, get(`/llm-a/${status}`));
    assert.deepEqual(
      [answer.status, answer.reason, answer.body.toString()],
      [status, `Words of /${status}`, `{"error":{"own":"/${status}"}}`],
    );
  }
});

test('bodies of every size, kind and framing come back byte for byte', async (t) => {
  const bodies = [Buffer.alloc(0), Buffer.from('x'), randomBytes(65_536), randomBytes(5_000_000), gzipSync('{"a":1}')];
  for (const framing of ['content-length', 'chunked', 'close'] as const) {
    const { guard } = await startPair(t, ({ target }) => ({
      framing,
      headers: { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' },
      body: bodies[Number(target.slice(1))]!,
    }));
    for (const [index, body] of bodies.entries()) {
      const client = await openClient(guard.port);
      client.say(get(`/llm-a/${index}`));
      const [answer] = await client.heard(1);
      client.leave();
      assert.ok(answer !== undefined && answer.body.equals(body), `${framing}, ${body.length} bytes`);
      assert.deepEqual(answer.values('content-encoding'), ['gzip']);
      assert.deepEqual(answer.values('content-length'), framing === 'content-length' ? [String(body.length)] : []);
      assert.deepEqual(answer.values('transfer-encoding'), framing === 'chunked' ? ['chunked'] : []);
    }
  }
});

test('answers without a body have none, and the connection goes on', async (t) => {
  const { guard } = await startPair(t, ({ method, target }): Answer => {
    if (method === 'HEAD')
      return { raw: 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1234\r\n\r\n' };
    if (target === '/204') return { raw: 'HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n' };
    if (target === '/304') return { raw: 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 99\r\n\r\n' };
    return { body: 'ok' };
  });
  const head = get('/llm-a/x').replace('GET', 'HEAD');
  const client = await openClient(guard.port, ['HEAD']);
  client.say(head);
  await client.heard(1);
  client.say(get('/llm-a/204'));
  await client.heard(2);
  client.say(get('/llm-a/304'));
  await client.heard(3);
  client.say(get('/llm-a/x'));
  const [first, none, same, last] = await client.heard(4);
  client.leave();
  assert.deepEqual(first?.values('content-length'), ['1234']);
  assert.deepEqual([none?.status, none?.values('content-length'), none?.values('transfer-encoding')], [204, [], []]);
  assert.deepEqual([same?.status, same?.value('etag'), same?.values('content-length')], [304, '"x"', ['99']]);
  assert.equal(last?.body.toString(), 'ok');
});

test('a body that is ended by closing stays so, and its client connection closes with it', async (t) => {
  const { guard } = await startPair(t, { framing: 'close', body: ['one', 20, 'two'] });
  const [answer] = await talk(guard.port, get('/llm-a/x'));
  assert.equal(answer!.body.toString(), 'onetwo');
  assert.deepEqual(
    [answer!.value('connection'), answer!.values('content-length'), answer!.values('transfer-encoding')],
    ['close', [], []],
  );
});

test('an id of the upstream is the id, else a sane one of the client, else a new one', async (t) => {
  const { guard, upstream } = await startPair(t, ({ target }) => ({
    headers: target === '/own' ? { 'x-request-id': 'req_upstream' } : {},
    body: 'ok',
  }));
  const id = async (target: string, ...lines: string[]) =>
    (await ask(guard.port, get(target, ...lines))).values('x-request-id');
  assert.deepEqual(await id('/llm-a/own', 'X-Request-ID: client-1'), ['req_upstream']);
  assert.deepEqual(await id('/llm-a/x', 'X-Request-ID: client-1'), ['client-1']);
  const [made] = await id('/llm-a/x');
  assert.match(made!, /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  for (const insane of ['a b', 'a"b', '<script>', 'x'.repeat(200), '{"a":1}', 'caf\xe9']) {
    const [own] = await id('/llm-a/x', `X-Request-ID: ${insane}`);
    assert.match(own!, /^[0-9a-f]{8}-/, insane);
    assert.deepEqual(
      upstream.requests.at(-1)!.values('x-request-id'),
      [insane],
      'what the client said is still its own',
    );
  }
  assert.deepEqual(await id('/llm-z/x', 'X-Request-ID: client-2'), ['client-2'], 'on a refusal, too');
  const logged = guard.logs().filter((line) => line.includes('"request_id":"req_upstream"'));
  assert.equal(logged.length, 1);
});

test('the log has the id that the client was sent, also where two proxies have added one or it is long', async (t) => {
  for (const ids of [['req_1', 'b7c1 / edge'], ['x'.repeat(200)]]) {
    const { guard } = await startPair(t, { headers: ids.map((id) => ['x-request-id', id]), body: 'ok' });
    const answer = await ask(guard.port, get('/llm-a/x', 'X-Request-ID: client-1'));
    assert.deepEqual(answer.values('x-request-id'), ids);
    await new Promise(setImmediate);
    const line = guard.logs().find((each) => each.includes('"msg":"exchange"'));
    assert.equal((JSON.parse(line!) as { request_id: string }).request_id, ids.join(', '));
  }
});

test('X-Guard-Scanned is ours alone: neither side can say it for us', async (t) => {
  const { guard, upstream } = await startPair(t, {
    headers: [
      ['X-Guard-Scanned', 'true'],
      ['x-guard-scanned', 'yes'],
    ],
    body: 'ok',
  });
  const answer = await ask(guard.port, get('/llm-a/x', 'X-Guard-Scanned: true', 'X-GUARD-SCANNED: 1'));
  assert.deepEqual(answer.values('x-guard-scanned'), ['false'], 'nothing was scanned here');
  assert.deepEqual(upstream.requests[0]!.values('x-guard-scanned'), []);
});
