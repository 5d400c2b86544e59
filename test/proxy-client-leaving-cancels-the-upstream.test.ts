/** A client that leaves has stopped paying attention, but not paying: the upstream must be told at once, in every phase. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGuard, type Guard } from './helpers/guard.ts';
import { startPair } from './helpers/pair.ts';
import { ask, get, openClient, post, type RawClient } from './helpers/raw-client.ts';
import type { Answer, Recorder } from './helpers/recorder.ts';
import { startSilentListener } from './helpers/silent-listener.ts';

const AT_ONCE_MS = 100;
const SSE = { 'Content-Type': 'text/event-stream' };

const openFiles = (): number => readdirSync('/proc/self/fd').length;

const sentLast = (upstream: Recorder): number => upstream.connections.at(-1)?.bytesSent ?? 0;

/** A machine that pauses is slow once. What waits for a timer is slow each time. */
const TRIES = 3;

/** Leaves in both ways that TCP knows, and measures until the last upstream connection of that call has ended. */
async function leavesIn(guard: Guard, upstream: Recorder, begin: (client: RawClient) => Promise<void>): Promise<void> {
  for (const how of ['leave', 'reset'] as const) {
    let slowest = Infinity;
    for (let i = 0; i < TRIES && slowest >= AT_ONCE_MS; i += 1)
      slowest = await leavingTakes(guard, upstream, how, begin);
    assert.ok(slowest < AT_ONCE_MS, `${how}: the upstream heard of it after ${slowest.toFixed(0)} ms`);
  }
}

async function leavingTakes(
  guard: Guard,
  upstream: Recorder,
  how: 'leave' | 'reset',
  begin: (client: RawClient) => Promise<void>,
): Promise<number> {
  const client = await openClient(guard.port);
  await begin(client);
  const open = upstream.connections.filter(({ closed, requests }) => closed === null && requests.length > 0);
  const leftAt = performance.now();
  client[how]();
  await upstream.waitFor(() => guard.service.inFlight() === 0);
  await upstream.waitFor(() => open.every(({ closed }) => closed !== null));
  return Math.max(0, ...open.map(({ closed }) => closed!.at - leftAt));
}

test('while it uploads: nothing has reached the upstream, and nothing will', async (t: TestContext) => {
  const { guard, upstream } = await startPair(t, { body: 'ok' });
  await leavesIn(guard, upstream, async (client) => {
    client.say('POST /llm-a/x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf');
    await upstream.waitFor(() => guard.service.inFlight() === 1);
  });
  assert.equal(upstream.connections.length, 0);
});

test('while its body is being scanned: the verdict comes too late to send anything', async (t: TestContext) => {
  const { guard, upstream } = await startPair(
    t,
    { body: 'ok' },
    {
      config: { scanner: { threads: 1 }, security: { scanner_timeout_ms: 2000 } },
      faults: { slow: 150 },
    },
  );
  await leavesIn(guard, upstream, async (client) => {
    client.say(post('/llm-a/x', '{"a":"b"}', 'Content-Type: application/json'));
    await upstream.waitFor(() => guard.service.inFlight() === 1);
    await sleep(20);
  });
  await sleep(400);
  assert.equal(upstream.connections.length, 0);
});

test('while its body is being scanned behind another call of its connection', async (t: TestContext) => {
  const { guard, upstream } = await startPair(
    t,
    { raw: '', end: 'hang' },
    { config: { scanner: { threads: 1 }, security: { scanner_timeout_ms: 5000 } }, faults: { slow: 300 } },
  );
  const client = await openClient(guard.port);
  client.say(get('/llm-a/first'));
  await upstream.waitFor(() => upstream.requests.length === 1);
  client.say(post('/llm-a/second', '{"a":"b"}', 'Content-Type: application/json'));
  await upstream.waitFor(() => guard.service.inFlight() === 2);
  client.reset();
  await upstream.waitFor(() => guard.service.inFlight() === 0);
  // Scanned after it: by then the verdict on the second has come.
  assert.equal((await ask(guard.port, post('/check', '{"text":"hello"}'))).status, 200);
  await sleep(100);
  assert.deepEqual(
    upstream.requests.map(({ target }) => target),
    ['/first'],
  );
});

test('while the upstream is being connected to', async (t: TestContext) => {
  const listener = await startSilentListener();
  t.after(() => listener.close());
  const guard = await startGuard({
    upstreams: { 'llm-a': { url: listener.url } },
    config: { scanner: { enabled: false } },
  });
  t.after(() => guard.close());
  const before = openFiles();
  for (const how of ['leave', 'reset'] as const) {
    const client = await openClient(guard.port);
    client.say(post('/llm-a/x', 'hi'));
    await client.until(() => openFiles() >= before + 3);
    client[how]();
    const leftAt = performance.now();
    await client.until(() => guard.service.inFlight() === 0 && openFiles() <= before);
    assert.ok(performance.now() - leftAt < AT_ONCE_MS, 'the socket that was connecting is closed');
  }
});

test('while it waits for a free connection: the call ahead goes on, its own is never made', async (t: TestContext) => {
  const { guard, upstream } = await startPair(
    t,
    ({ target }) => (target === '/ahead' ? { delayMs: 300, body: 'ok' } : { body: 'ok' }),
    { upstream: { max_sockets: 1 } },
  );
  const ahead = await openClient(guard.port);
  ahead.say(get('/llm-a/ahead'));
  await upstream.waitFor(() => upstream.requests.length === 1);
  for (const how of ['leave', 'reset'] as const) {
    const client = await openClient(guard.port);
    client.say(post('/llm-a/queued', 'hi'));
    await upstream.waitFor(() => guard.service.inFlight() === 2);
    client[how]();
    await upstream.waitFor(() => guard.service.inFlight() === 1);
  }
  assert.equal((await ahead.heard(1))[0]?.status, 200);
  ahead.leave();
  await sleep(30);
  assert.deepEqual(
    upstream.requests.map(({ target }) => target),
    ['/ahead'],
  );
});

test('while it waits for the response head', async (t: TestContext) => {
  const { guard, upstream } = await startPair(t, { raw: '', end: 'hang' });
  await leavesIn(guard, upstream, async (client) => {
    const before = upstream.requests.length;
    client.say(post('/llm-a/x', 'hi'));
    await upstream.waitFor(() => upstream.requests.length === before + 1);
  });
});

test('in the middle of a body, of every framing', async (t: TestContext) => {
  for (const framing of ['content-length', 'chunked', 'close'] as const) {
    const { guard, upstream } = await startPair(t, {
      framing,
      headers: framing === 'content-length' ? { 'Content-Length': '100' } : {},
      body: ['half'],
      end: 'hang',
    });
    await leavesIn(guard, upstream, async (client) => {
      client.say(get('/llm-a/x'));
      await client.until(() => client.bytes.includes('half'));
    });
  }
});

test('in the middle of an event stream', async (t: TestContext) => {
  const { guard, upstream } = await startPair(t, {
    headers: SSE,
    framing: 'chunked',
    body: ['data: 1\n\n'],
    end: 'hang',
  });
  await leavesIn(guard, upstream, async (client) => {
    client.say(get('/llm-a/x'));
    await client.until(() => client.bytes.includes('data: 1'));
  });
  const metrics = await guard.metrics();
  assert.match(metrics, /guard_stream_aborts_total\{upstream="llm-a",side="client"\} 2\n/);
  assert.equal(guard.logs().filter((line) => line.includes('"ending":"client-left"')).length, 2);
});

test('in the middle of a stream that it does not read', async (t: TestContext) => {
  const big = Buffer.alloc(1_000_000, 'x');
  const { guard, upstream } = await startPair(t, {
    headers: SSE,
    framing: 'chunked',
    body: Array.from({ length: 50 }, () => big),
  });
  await leavesIn(guard, upstream, async (client) => {
    client.socket.pause();
    client.say(get('/llm-a/x'));
    await client.until(() => sentLast(upstream) > 1_000_000);
    for (let before = -1; before !== sentLast(upstream); await sleep(20)) before = sentLast(upstream);
  });
});

test('a thousand clients that leave in every phase leave nothing open behind them', async (t: TestContext) => {
  const answers: Readonly<Record<string, Answer>> = {
    '/head': { raw: '', end: 'hang' },
    '/body': { headers: { 'Content-Length': '100' }, body: ['half'], end: 'hang' },
    '/sse': { headers: SSE, framing: 'chunked', body: ['data: 1\n\n'], end: 'hang' },
    '/done': { body: 'ok' },
  };
  const { guard, upstream } = await startPair(t, ({ target }) => answers[target] ?? { status: 404 }, {
    upstream: { max_sockets: 30 },
  });
  const phases: readonly ((client: RawClient) => Promise<void>)[] = [
    async (client) => client.say('POST /llm-a/x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf'),
    async (client) => client.say(get('/llm-a/head')),
    async (client) => client.say(get('/llm-a/head').repeat(3)),
    async (client) => {
      client.say(get('/llm-a/body'));
      await client.until(() => client.bytes.includes('half'));
    },
    async (client) => {
      client.say(get('/llm-a/sse'));
      await client.until(() => client.bytes.includes('data: 1'));
    },
    async (client) => client.say(get('/llm-a/done')),
  ];
  const run = async (count: number): Promise<void> => {
    let started = 0;
    const lane = async (): Promise<void> => {
      while (started < count) {
        const turn = started;
        started += 1;
        const client = await openClient(guard.port);
        await phases[turn % phases.length]!(client);
        await sleep(turn % 4);
        if (turn % 2 === 0) client.leave();
        else client.reset();
      }
    };
    // Few enough for the phases that wait for an answer to get a connection: the third one asks for three at a time.
    await Promise.all(Array.from({ length: 10 }, lane));
    await upstream.waitFor(() => guard.service.inFlight() === 0);
    await upstream.waitFor(() =>
      upstream.connections.every(
        ({ closed, requests }) => closed !== null || requests.every(({ target }) => target === '/done'),
      ),
    );
  };
  const open = () => openFiles() - upstream.connections.filter(({ closed }) => closed === null).length * 2;

  await run(60);
  await sleep(50);
  const before = open();
  await run(1000);
  await upstream.waitFor(() => open() <= before);
  assert.equal(guard.service.inFlight(), 0);
  assert.match(await guard.metrics(), /guard_inflight_requests\{upstream="llm-a"\} 0\n/);
});
