/** What one client may cost: time, bytes, headers, connections. Node's defaults leave most of it open or late. */
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPair } from './helpers/pair.ts';
import { PATIENCE_MS } from './helpers/patience.ts';
import { ask, get, openClient, post } from './helpers/raw-client.ts';
import { assertRefusal } from './helpers/refusals.ts';

const QUICK = {
  scanner: { enabled: false },
  server: { headers_timeout_ms: 400, request_timeout_ms: 900, keep_alive_timeout_ms: 500, max_connections: 20 },
  security: { max_request_bytes: 65_536 },
};

// Timers are looked at once a second (Node's default of 30 s makes every one of them up to 30 s late).
const LATEST_MS = 2600;

describe('bounds', { concurrency: true }, () => {
  test('a head that trickles in is cut after its time, with an answer', async (t: TestContext) => {
    const { guard, upstream } = await startPair(t, { body: 'ok' }, { config: QUICK });
    const client = await openClient(guard.port);
    const startedAt = performance.now();
    const trickle = setInterval(() => client.say('a'), 50);
    t.after(() => clearInterval(trickle));
    client.say('GET /llm-a/x HTTP/1.1\r\nHost: h\r\nX: ');
    await client.ended();
    assert.ok(performance.now() - startedAt < LATEST_MS);
    assertRefusal(client.answers()[0], 408, 'request_timeout');
    assert.equal(client.answers()[0]?.value('connection'), 'close');
    assert.equal(upstream.requests.length, 0);
  });

  test('a connection that says nothing is closed', async (t: TestContext) => {
    const { guard } = await startPair(t, { body: 'ok' }, { config: QUICK });
    const client = await openClient(guard.port);
    const startedAt = performance.now();
    await client.ended();
    assert.ok(performance.now() - startedAt < LATEST_MS);
  });

  test('a body that trickles in is cut after its time, with an answer, and nothing was forwarded', async (t: TestContext) => {
    const { guard, upstream } = await startPair(t, { body: 'ok' }, { config: QUICK });
    const client = await openClient(guard.port);
    let left = 10_000;
    const trickle = setInterval(() => {
      client.say('a');
      left -= 1;
    }, 50);
    t.after(() => clearInterval(trickle));
    // A client that closes at once would have what was forwarded called off before it arrives.
    client.socket.allowHalfOpen = true;
    client.socket.once('data', () => {
      clearInterval(trickle);
      client.say('a'.repeat(left));
    });
    client.say('POST /llm-a/x HTTP/1.1\r\nHost: h\r\nContent-Length: 10000\r\n\r\n');
    await client.ended();
    assertRefusal(client.answers()[0], 408, 'request_timeout');
    assert.equal(client.answers()[0]?.value('x-guard-scanned'), 'false');
    await upstream.waitFor(() => guard.service.inFlight() === 0);
    assert.equal(upstream.requests.length, 0);
  });

  test('the log line of a body that is late, malformed or never came names the client and what it was told', async (t: TestContext) => {
    const { guard } = await startPair(t, { body: 'ok' }, { config: QUICK });
    const head = 'POST /llm-a/x HTTP/1.1\r\nHost: h\r\n';
    const lines = (): string[] => guard.logs().filter((line) => line.includes('"/llm-a/x"'));
    for (const [sent, status, ending, refusal] of [
      ['Content-Length: 9\r\n\r\na', 408, 'refused', 'request_timeout'],
      ['Transfer-Encoding: chunked\r\n\r\nzz\r\n', 400, 'refused', 'bad_request'],
      ['Content-Length: 99\r\n\r\na', 499, 'client-left', undefined],
    ] as const) {
      const known = lines().length;
      const client = await openClient(guard.port);
      client.say(head + sent);
      if (status === 499) {
        // Once it is under way: a client that leaves before that is nobody.
        while (guard.service.inFlight() === 0) await sleep(5);
        client.leave();
      } else {
        await client.ended();
      }
      while (lines().length === known) await sleep(10);
      const line = JSON.parse(lines()[known]!) as Record<string, unknown>;
      assert.deepEqual([line['status'], line['ending'], line['refusal']], [status, ending, refusal]);
      assert.equal(line['client'], '127.0.0.1');
      if (status !== 499) {
        assertRefusal(client.answers()[0], status, refusal);
        assert.equal(client.answers()[0]?.value('x-request-id'), line['request_id']);
      }
      const counted = `guard_requests_total{upstream="llm-a",method="POST",status="${status}"} 1`;
      assert.ok((await guard.metrics()).includes(counted), counted);
    }
  });

  test('an upstream may take longer than a client may take to send', async (t: TestContext) => {
    const { guard } = await startPair(t, { delayMs: 2200, body: 'ok' }, { config: QUICK });
    assert.equal((await ask(guard.port, post('/llm-a/x', 'hi'))).body.toString(), 'ok');
  });

  test('an idle connection is kept for its time and then closed', async (t: TestContext) => {
    const { guard } = await startPair(t, { body: 'ok' }, { config: QUICK });
    const client = await openClient(guard.port);
    client.say(get('/llm-a/x'));
    await client.heard(1);
    await sleep(250);
    client.say(get('/llm-a/x'));
    await client.heard(2);
    const startedAt = performance.now();
    await client.ended();
    assert.ok(performance.now() - startedAt > 400);
  });

  // Node reads on for as long as the client sends after an early answer, or resets and loses the answer.
  test('a body over the limit is refused while it is sent, the answer is not lost, and reading stops', async (t: TestContext) => {
    const { guard, upstream } = await startPair(t, { body: 'ok' }, { config: QUICK });
    for (const head of ['Content-Length: 1000000000', 'Transfer-Encoding: chunked']) {
      const client = await openClient(guard.port);
      client.say(`POST /llm-a/x HTTP/1.1\r\nHost: h\r\n${head}\r\n\r\n`);
      const piece = head.startsWith('T') ? Buffer.from(`ffff\r\n${'a'.repeat(65_535)}\r\n`) : Buffer.alloc(65_536, 'a');
      let sent = 0;
      while (client.closed === null && sent < 500_000_000) {
        if (client.socket.writableLength < 1_000_000) {
          client.socket.write(piece);
          sent += piece.length;
        }
        await sleep(0);
      }
      assertRefusal(client.answers()[0], 413, 'payload_too_large', head);
      assert.equal(client.answers()[0]?.value('connection'), 'close');
      assert.ok(sent < 50_000_000, `${sent} bytes were taken`);
    }
    assert.equal(upstream.requests.length, 0);
    await upstream.waitFor(() => guard.service.inFlight() === 0);
  });

  test('a refusal in the middle of an upload is heard by a client that listens only when it has sent everything', async (t: TestContext) => {
    const { guard } = await startPair(t, { body: 'ok' }, { config: QUICK });
    for (const target of ['/llm-a/x', '/llm-z/x', '/check']) {
      const client = await openClient(guard.port);
      client.socket.pause();
      const body = Buffer.alloc(900_000, 'a');
      client.say(
        post(target, body.subarray(0, 400_000))
          .toString('latin1')
          .replace('Content-Length: 400000', 'Content-Length: 900000'),
      );
      await sleep(30);
      client.say(body.subarray(400_000));
      await sleep(30);
      client.socket.resume();
      const [answer] = await client.heard(1);
      assert.ok([413, 404].includes(answer!.status), target);
      client.leave();
    }
  });

  test('a client that stops sending after a refusal is not waited for', async (t: TestContext) => {
    const { guard, upstream } = await startPair(t, { body: 'ok' }, { config: { ...QUICK, server: {} } });
    const client = await openClient(guard.port);
    const startedAt = performance.now();
    client.say('POST /llm-a/x HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n');
    const [answer] = await client.heard(1);
    assertRefusal(answer, 413, 'payload_too_large');
    await client.ended();
    assert.ok(performance.now() - startedAt < 2500);
    await upstream.waitFor(() => guard.service.inFlight() === 0);
  });

  test('connections over the limit are closed and counted, and those under it are served', async (t: TestContext) => {
    const { guard } = await startPair(t, { body: 'ok' }, { config: { ...QUICK, server: { max_connections: 5 } } });
    const clients = await Promise.all(Array.from({ length: 12 }, () => openClient(guard.port)));
    for (const client of clients) client.say(get('/llm-a/x'));
    const served = () => clients.filter((client) => client.answers().length === 1);
    const closed = () => clients.filter((client) => client.closed !== null);
    await clients[0]!.until(() => served().length === 5 && closed().length === 7);
    for (const client of served()) client.leave();
    await clients[0]!.until(() => guard.service.inFlight() === 0);
    await sleep(50);
    assert.match(await guard.metrics(), /guard_refused_connections_total\{reason="max_connections"\} 7\n/);
  });

  test('what never became a request is answered in the envelope, and the next client is served', async (t: TestContext) => {
    const { guard } = await startPair(t, { body: 'ok' });
    assertRefusal(await ask(guard.port, '\0\0\0\0'), 400, 'bad_request');
    assertRefusal(await ask(guard.port, 'GET /x HTTP/3.0\r\n\r\n'), 505, 'http_version_not_supported');
    assertRefusal(
      await ask(guard.port, `GET /x HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`),
      431,
      'headers_too_large',
    );
    assert.equal((await ask(guard.port, get('/llm-a/x'))).status, 200);
  });

  test('a head that is refused is logged with the id that its client was told, and counted under a name of ours', async (t: TestContext) => {
    const { guard } = await startPair(t, { body: 'ok' }, { config: QUICK });
    const told = [];
    for (const [reason, status, head] of [
      ['malformed', 400, '\0\0\0\0'],
      ['malformed', 400, 'GET /llm-a/my-secret HTTP/1.1\r\nHost : h\r\n\r\n'],
      ['headers_too_large', 431, `GET /x HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
      ['version', 505, 'GET /x HTTP/3.0\r\n\r\n'],
      ['connect', 405, 'CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n'],
      ['timeout', 408, 'GET /x HTTP/1.1\r\nHost: h\r\nX: '],
      ['cut_short', 400, 'GET /x HTTP/1.1\r\nHost: h\r\nX: '],
    ] as const) {
      const client = await openClient(guard.port);
      client.say(head);
      if (reason === 'cut_short') client.socket.end();
      const [answer] = await client.heard(1);
      client.leave();
      told.push({ id: answer!.value('x-request-id'), reason, status: answer!.status });
      assert.equal(answer!.status, status, reason);
    }
    const lines = guard.logs().map((line) => JSON.parse(line) as Record<string, unknown>);
    const refused = lines.filter(({ msg }) => msg === 'head refused');
    assert.deepEqual(
      refused.map(({ request_id: id, reason, status }) => ({ id, reason, status })),
      told,
    );
    for (const line of refused) assert.deepEqual([line['level'], line['client']], ['info', '127.0.0.1']);
    assert.ok(!guard.logs().join('').includes('my-secret'));
    const counted = [
      ...(await guard.metrics()).matchAll(/^guard_refused_connections_total\{reason="(\w+)"\} (\d+)$/gm),
    ];
    assert.deepEqual(Object.fromEntries(counted.map(([, reason, count]) => [reason, Number(count)])), {
      malformed: 2,
      cut_short: 1,
      headers_too_large: 1,
      version: 1,
      timeout: 1,
      connect: 1,
      max_connections: 0,
    });
  });

  test('twenty refused heads a second are logged, and how many more there were', async (t: TestContext) => {
    const { guard } = await startPair(t, { body: 'ok' });
    const begun = performance.now();
    await Promise.all(Array.from({ length: 50 }, () => ask(guard.port, '\0\0\0\0')));
    const seconds = (performance.now() - begun) / 1000;
    const lines = (msg: string) =>
      guard
        .logs()
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line['msg'] === msg);
    const told = (): number =>
      lines('more heads refused than are logged').reduce(
        (sum, { count }) => sum + Number(count),
        lines('head refused').length,
      );
    for (const until = Date.now() + PATIENCE_MS; told() < 50 && Date.now() < until;) await sleep(20);
    assert.equal(told(), 50);
    // A machine that is busy may need more than a second for fifty.
    assert.ok(lines('head refused').length <= 20 * (Math.floor(seconds) + 2));
    assert.match(await guard.metrics(), /guard_refused_connections_total\{reason="malformed"\} 50\n/);
  });

  test('a body that is late or malformed is a request, and counts as nothing else', async (t: TestContext) => {
    const { guard } = await startPair(t, { body: 'ok' }, { config: QUICK });
    const head = 'POST /llm-a/x HTTP/1.1\r\nHost: h\r\n';
    for (const rest of ['Content-Length: 9\r\n\r\na', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n']) {
      const client = await openClient(guard.port);
      client.say(head + rest);
      await client.ended();
    }
    const page = await guard.metrics();
    for (const status of [408, 400])
      assert.ok(page.includes(`guard_requests_total{upstream="llm-a",method="POST",status="${status}"} 1\n`));
    assert.doesNotMatch(page, /guard_refused_connections_total\{reason="\w+"\} [1-9]/);
    assert.ok(!guard.logs().some((line) => line.includes('head refused')));
  });

  // A parser error while an answer is being written must not put a second status line into it.
  test('garbage during an answer ends the connection and writes nothing into the answer', async (t: TestContext) => {
    const { guard, upstream } = await startPair(t, { framing: 'chunked', body: ['first'], end: 'hang' });
    const client = await openClient(guard.port);
    client.say(get('/llm-a/x'));
    await client.until(() => client.bytes.includes('first'));
    client.say('%%%\r\n\r\n');
    await client.ended();
    assert.equal(client.answers().length, 1);
    assert.equal(client.bytes.toString().match(/HTTP\/1\.1/g)?.length, 1);
    await upstream.waitFor(() => upstream.connections[0]!.closed !== null);
  });
});

// The connection stays for a moment, so that the refusal arrives, and so may the last byte of what was refused.
// Not among the bounds: scanning threads that start would take their time.
test('a call that was told that it is late stays refused when the rest of its body arrives', async (t: TestContext) => {
  const scanned = { ...QUICK, scanner: { enabled: true } };
  const late = async (target: string, config: typeof QUICK, rest: string): Promise<void> => {
    const { guard, upstream } = await startPair(t, { body: 'ok' }, { config });
    const client = await openClient(guard.port);
    client.socket.allowHalfOpen = true;
    client.socket.once('data', () => client.say(rest));
    // A body that passes the limit would be refused once more, with another status.
    const framing = rest.length === 1 ? 'Content-Length: 10\r\n\r\n' : 'Transfer-Encoding: chunked\r\n\r\n20000\r\n';
    client.say(`POST ${target} HTTP/1.1\r\nHost: h\r\n${framing}${'a'.repeat(9)}`);
    await client.heard(1);
    await upstream.waitFor(() => guard.service.inFlight() === 0);
    assert.equal(client.answers().length, 1);
    assertRefusal(client.answers()[0], 408, 'request_timeout');
    assert.equal(upstream.requests.length, 0);
    const line = JSON.parse(guard.logs().find((each) => each.includes(`"${target}"`))!) as Record<string, unknown>;
    assert.deepEqual([line['status'], line['ending'], line['refusal']], [408, 'refused', 'request_timeout']);
    assert.match(await guard.metrics(), /guard_requests_total\{[^}]*method="POST",status="408"\} 1\n/);
    assert.doesNotMatch(await guard.metrics(), /guard_requests_total\{[^}]*method="POST",status="(?!408)/);
    client.leave();
  };
  await Promise.all([
    late('/llm-a/x', QUICK, 'a'),
    late('/llm-a/x', scanned, 'a'),
    late('/llm-a/x', QUICK, 'a'.repeat(65_536)),
    late('/check', scanned, 'a'),
  ]);
});
