/** A restart that nobody notices: balancers are told first, work ends in its time, and what cannot end says so. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPair } from './helpers/pair.ts';
import { ask, get, openClient, post } from './helpers/raw-client.ts';
import type { Answer } from './helpers/recorder.ts';
import { assertRefusal, inBand } from './helpers/refusals.ts';

const drainIn = (delay: number, timeout: number) => ({
  scanner: { enabled: false },
  server: { shutdown_delay_ms: delay, shutdown_timeout_ms: timeout },
});

const refusesConnections = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });

describe('drain', { concurrency: true }, () => {
  test('readiness is gone at once, liveness stays, and calls are served until the delay is over', async (t: TestContext) => {
    const { guard } = await startPair(t, { body: 'ok' }, { config: drainIn(1500, 5000) });
    assert.equal((await ask(guard.port, get('/readyz'))).status, 200);
    const startedAt = performance.now();
    const drained = guard.service.drain();
    const ready = await ask(guard.port, get('/readyz'));
    assert.equal(ready.status, 503);
    assert.deepEqual(JSON.parse(ready.body.toString()), {
      status: 'not_ready',
      checks: { scanner: 'draining', signatures: 'ok' },
    });
    assert.equal((await ask(guard.port, get('/healthz'))).status, 200);
    const call = await ask(guard.port, post('/llm-a/x', 'hi'));
    assert.equal(call.body.toString(), 'ok');
    assert.equal(call.value('connection'), 'close');
    assert.ok(performance.now() - startedAt < 1400);
    assert.deepEqual(await drained, { cut: 0 });
    assert.ok(performance.now() - startedAt < 5000, 'it does not wait for the timeout');
    assert.equal(await refusesConnections(guard.port), true);
  });

  test('connections that are idle are closed when the listener is, and not before', async (t: TestContext) => {
    const { guard } = await startPair(t, { body: 'ok' }, { config: drainIn(200, 5000) });
    const fresh = await openClient(guard.port);
    const used = await openClient(guard.port);
    used.say(get('/llm-a/x'));
    await used.heard(1);
    const drained = guard.service.drain();
    await sleep(100);
    assert.deepEqual([fresh.closed, used.closed], [null, null]);
    await drained;
    await Promise.all([fresh.ended(), used.ended()]);
  });

  test('a call under way ends in its own time, and the drain ends with it', async (t: TestContext) => {
    const { guard, upstream } = await startPair(
      t,
      {
        delayMs: 400,
        headers: { 'Content-Type': 'text/event-stream' },
        framing: 'chunked',
        body: ['data: 1\n\n', 200, 'data: [DONE]\n\n'],
      },
      { config: drainIn(50, 10_000) },
    );
    const client = await openClient(guard.port);
    client.say(get('/llm-a/x'));
    await upstream.waitFor(() => upstream.requests.length === 1);
    const startedAt = performance.now();
    assert.deepEqual(await guard.service.drain(), { cut: 0 });
    assert.ok(performance.now() - startedAt < 2000, 'it does not wait for the timeout');
    const [answer] = await client.heard(1);
    assert.equal(answer!.body.toString(), 'data: 1\n\ndata: [DONE]\n\n');
    assert.equal(answer!.value('connection'), 'close');
  });

  test('at the hard stop every kind of call is told in the way that its reader understands', async (t: TestContext) => {
    const answers: Readonly<Record<string, Answer>> = {
      '/sse': {
        headers: { 'Content-Type': 'text/event-stream' },
        framing: 'chunked',
        body: ['data: 1\n\n'],
        end: 'hang',
      },
      '/half': {
        headers: { 'Content-Type': 'text/event-stream' },
        framing: 'chunked',
        body: ['data: 1\n\ndata: {'],
        end: 'hang',
      },
      '/lines': {
        headers: { 'Content-Type': 'application/x-ndjson' },
        framing: 'chunked',
        body: ['{"a":1}\n'],
        end: 'hang',
      },
      '/json': { headers: { 'Content-Type': 'application/json' }, framing: 'chunked', body: ['{"a":'], end: 'hang' },
      '/silent': { raw: '', end: 'hang' },
    };
    const { guard, upstream } = await startPair(t, ({ target }) => answers[target]!, { config: drainIn(50, 300) });
    const open = async (bytes: string) => {
      const client = await openClient(guard.port);
      client.say(bytes);
      return client;
    };
    const [sse, half, lines, json, silent] = await Promise.all(
      Object.keys(answers).map((target) => open(get(`/llm-a${target}`))),
    );
    const uploading = await open('POST /llm-a/x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf');
    for (const client of [sse, half, lines, json])
      await client!.until(() => (client!.answers()[0]?.body.length ?? 0) > 0);
    await upstream.waitFor(() => upstream.requests.length === 5 && guard.service.inFlight() === 6);

    assert.deepEqual(await guard.service.drain(), { cut: 6 });
    for (const client of [sse, half, lines, json, silent, uploading]) await client!.ended();

    const type = 'shutting_down';
    const message = 'The service is shutting down';
    assert.equal(sse!.answers()[0]!.body.toString(), `data: 1\n\n${inBand('sse', type, message)}`);
    assert.equal(sse!.answers()[0]!.complete, true);
    assert.equal(lines!.answers()[0]!.body.toString(), `{"a":1}\n${inBand('ndjson', type, message)}`);
    for (const client of [half, json]) assert.equal(client!.answers()[0]!.complete, false);
    assert.equal(half!.answers()[0]!.body.toString(), 'data: 1\n\ndata: {');
    for (const client of [silent, uploading]) {
      assertRefusal(client!.answers()[0], 503, type);
      assert.equal(client!.answers()[0]!.value('retry-after'), '1');
      assert.equal(client!.answers()[0]!.value('connection'), 'close');
    }
    assert.equal(guard.service.inFlight(), 0);
    await upstream.waitFor(() => upstream.connections.every(({ closed }) => closed !== null));
    assert.match(guard.logs().join(''), /"ending":"cut","refusal":"shutting_down"/);
  });

  test('a call that was refused at the hard stop goes nowhere when the rest of its body arrives', async (t: TestContext) => {
    const { guard, upstream } = await startPair(t, { body: 'ok' }, { config: drainIn(50, 100) });
    // An idle connection to the upstream: what is forwarded has left before anything can call it off.
    await ask(guard.port, get('/llm-a/warm'));
    const client = await openClient(guard.port);
    client.socket.once('data', () => client.say('half'));
    client.say('POST /llm-a/x HTTP/1.1\r\nHost: h\r\nContent-Length: 8\r\n\r\nhalf');
    await upstream.waitFor(() => guard.service.inFlight() === 1);
    assert.deepEqual(await guard.service.drain(), { cut: 1 });
    assertRefusal(client.answers()[0], 503, 'shutting_down');
    assert.equal(client.answers().length, 1);
    await upstream.waitFor(() => upstream.connections.every(({ closed }) => closed !== null));
    assert.deepEqual(
      upstream.requests.map(({ target }) => target),
      ['/warm'],
    );
    client.leave();
  });

  test('clients that obey Connection: close lose no call to a drain', async (t: TestContext) => {
    const { guard } = await startPair(t, { delayMs: 3, body: 'ok' }, { config: drainIn(1500, 5000) });
    let served = 0;
    let draining = false;
    const lane = async (): Promise<void> => {
      for (;;) {
        // A balancer sends nothing new to an instance that is not ready.
        if (draining) return;
        const client = await openClient(guard.port);
        for (let more = true; more;) {
          const before = client.answers().length;
          client.say(post('/llm-a/x', 'hi'));
          const answer = (await client.heard(before + 1))[before]!;
          assert.equal(answer.status, 200);
          served += 1;
          more = answer.value('connection') !== 'close';
        }
        client.leave();
      }
    };
    const lanes = Array.from({ length: 8 }, lane);
    while (served <= 16) await sleep(10);
    draining = true;
    assert.deepEqual(await guard.service.drain(), { cut: 0 });
    await Promise.all(lanes);
  });
});
