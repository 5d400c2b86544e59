/** One connection after another carries many calls: kept, limited, retried once when stale, never mixed up. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { configOf, startGuard } from './helpers/guard.ts';
import { startPair } from './helpers/pair.ts';
import { ask, get, openClient, post, talk } from './helpers/raw-client.ts';
import { startRecorder } from './helpers/recorder.ts';
import { assertRefusal } from './helpers/refusals.ts';

test('calls one after another share one upstream connection', async (t) => {
  const { guard, upstream } = await startPair(t, ({ target }) => ({ body: target }));
  for (let i = 0; i < 20; i += 1) assert.equal((await ask(guard.port, get(`/llm-a/${i}`))).body.toString(), `/${i}`);
  assert.equal(upstream.connections.length, 1);
  assert.equal(upstream.connections[0]!.closed, null);
});

// Setting a header on a request that waited for a socket throws in http-proxy's proxyReq event: the process dies.
test('calls that wait for a connection are sent whole when it is free, in their order', async (t) => {
  const { guard, upstream } = await startPair(t, ({ target }) => ({ delayMs: 10, body: target }), {
    upstream: { max_sockets: 1 },
  });
  const lines = ['X-One: 1', 'X-one: 2', 'Authorization: Bearer a'];
  const calls = [1, 2, 3, 4, 5].map((n) => ask(guard.port, post(`/llm-a/${n}`, `body ${n}`, ...lines)));
  const bodies = (await Promise.all(calls)).map(({ body }) => body.toString());
  assert.deepEqual(bodies, ['/1', '/2', '/3', '/4', '/5']);
  assert.equal(upstream.connections.length, 1);
  for (const { target, body, values } of upstream.requests) {
    assert.equal(body.toString(), `body ${target.slice(1)}`);
    assert.deepEqual(values('x-one'), ['1', '2']);
    assert.deepEqual(values('authorization'), ['Bearer a']);
  }
});

// The agent of Node keeps a request that was given up while it waited, until a connection is free for it.
test('calls that waited for a connection in vain leave nothing of their bodies behind', async (t) => {
  const { guard, upstream } = await startPair(
    t,
    { raw: '', end: 'hang' },
    { upstream: { max_sockets: 1, queue_timeout_ms: 50 } },
  );
  const first = await openClient(guard.port);
  first.say(get('/llm-a/x'));
  await upstream.waitFor(() => upstream.requests.length === 1);
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  const held = async (): Promise<number> => {
    // What was just let go is still known to the turn in which it was.
    for (let i = 0; i < 5; i += 1) {
      await sleep(50);
      collect();
    }
    return process.memoryUsage().arrayBuffers;
  };
  const request = post('/llm-a/x', Buffer.alloc(4_000_000, 'a'));
  const before = await held();
  for (let i = 0; i < 20; i += 1) {
    const client = await openClient(guard.port);
    client.say(request);
    if (i % 2 === 0) assertRefusal((await client.heard(1, 20_000))[0], 504, 'upstream_timeout');
    else await upstream.waitFor(() => guard.service.inFlight() === 2);
    client.reset();
  }
  await upstream.waitFor(() => guard.service.inFlight() === 1);
  const grown = (await held()) - before;
  assert.ok(grown < 20_000_000, `${grown} of 80,000,000 bytes are still held`);
  assert.equal(upstream.requests.length, 1);
  first.leave();
});

// A target that is text is parsed for every call, and a user in it is dropped in silence: it is parsed once, or refused.
test('an upstream may be an IPv6 address with a base path, and may not carry a user', async (t) => {
  const upstream = await startRecorder({ body: 'ok' }, { host: '::1' });
  t.after(() => upstream.close());
  const guard = await startGuard({
    upstreams: { 'llm-a': { url: `http://[::1]:${upstream.port}/base` } },
    config: { scanner: { enabled: false } },
  });
  t.after(() => guard.close());
  assert.equal((await ask(guard.port, get('/llm-a/x'))).body.toString(), 'ok');
  assert.deepEqual(
    upstream.requests.map(({ target, values }) => [target, values('host')]),
    [['/base/x', [`[::1]:${upstream.port}`]]],
  );
  assert.throws(() => configOf({ upstreams: { 'llm-a': { url: 'http://user:word@h/' } } }), /without user, password/);
});

// An idle connection that the upstream closed a moment ago resets the next call: an error that the client did not cause.
test('a call that meets a stale connection is made once more, on a new one', async (t) => {
  for (const end of ['rst', 'fin'] as const) {
    const { guard, upstream } = await startPair(t, ({ index }) => (index === 1 ? { raw: '', end } : { body: 'ok' }));
    assert.equal((await ask(guard.port, get('/llm-a/warm'))).status, 200);
    const answer = await ask(guard.port, post('/llm-a/x', 'hello', 'X-One: 1'));
    assert.equal(answer.body.toString(), 'ok', end);
    assert.equal(upstream.requests.length, 3);
    assert.equal(upstream.connections.length, 2);
    const [, first, second] = upstream.requests;
    assert.deepEqual(second!.raw, first!.raw, 'the same bytes again');
    assert.equal(guard.logs().filter((line) => line.includes('"retried":true')).length, 1);
  }
});

// After a failover the upstream knows none of the idle connections: the next one of them is no better than the first.
test('a call that meets a stale connection is made again on a new one, however many others are idle', async (t) => {
  const idle = 6;
  for (const end of ['rst', 'fin'] as const) {
    let failedOver = false;
    const { guard, upstream } = await startPair(t, async ({ connection }) => {
      await upstream.waitFor(() => upstream.connections.length >= idle);
      return failedOver && connection.id < idle ? { raw: '', end } : { body: 'ok' };
    });
    await Promise.all(Array.from({ length: idle }, () => ask(guard.port, get('/llm-a/warm'))));
    assert.equal(upstream.connections.length, idle);
    failedOver = true;
    for (let i = 0; i < 3; i += 1) {
      assert.equal((await ask(guard.port, post('/llm-a/x', 'hello'))).body.toString(), 'ok', `call ${i}, ${end}`);
    }
    assert.equal(upstream.connections.length, idle + 1);
    assert.equal(upstream.requests.length, idle + 4, 'one call was sent twice');
  }
});

// Such a connection comes straight from the call before, and Node does not call it a reused one.
test('a call that waited for a connection and meets a stale one is made again, before those that wait', async (t) => {
  const { guard, upstream } = await startPair(
    t,
    async ({ index, connection }) => {
      if (index === 0) {
        await upstream.waitFor(() => guard.service.inFlight() === 3);
        // Longer than a call may be at work when it is made again.
        await sleep(1200);
      }
      return connection.requests.length === 1 ? { body: 'ok' } : { raw: '', end: 'rst' };
    },
    { upstream: { max_sockets: 1, queue_timeout_ms: 20_000 } },
  );
  const calls = [1, 2, 3].map((n) => ask(guard.port, post(`/llm-a/${n}`, `body ${n}`)));
  for (const { body } of await Promise.all(calls)) assert.equal(body.toString(), 'ok');
  assert.equal(upstream.connections.length, 3);
  assert.equal(upstream.requests.length, 5);
  assert.equal(guard.logs().filter((line) => line.includes('"retried":true')).length, 2);
});

test('a call is not made again when the connection was new, when it fails twice, or when it was long at work', async (t) => {
  const { guard, upstream } = await startPair(t, ({ target }) => {
    if (target === '/warm') return { body: 'ok' };
    return target === '/slow' ? { raw: '', delayMs: 1200, end: 'rst' } : { raw: '', end: 'rst' };
  });
  const seen = (target: string) => upstream.requests.filter((each) => each.target === target).length;
  assertRefusal(await ask(guard.port, get('/llm-a/new')), 502, 'upstream_closed');
  assert.equal(seen('/new'), 1);
  await ask(guard.port, get('/llm-a/warm'));
  assertRefusal(await ask(guard.port, get('/llm-a/twice')), 502, 'upstream_closed');
  assert.equal(seen('/twice'), 2);
  await ask(guard.port, get('/llm-a/warm'));
  assertRefusal(await ask(guard.port, get('/llm-a/slow')), 502, 'upstream_closed');
  assert.equal(seen('/slow'), 1);
});

// The upstream has begun to answer, so it has done the work: doing it again costs the client's money.
test('a call whose answer had begun is not made again', async (t) => {
  const { guard, upstream } = await startPair(t, ({ target }) =>
    target === '/warm' ? { body: 'ok' } : { raw: 'HTTP/1.1 200 OK\r\nContent-Le', end: 'rst' },
  );
  await ask(guard.port, get('/llm-a/warm'));
  assertRefusal(await ask(guard.port, get('/llm-a/x')), 502, 'upstream_closed');
  assert.deepEqual(
    upstream.requests.map(({ target }) => target),
    ['/warm', '/x'],
  );
});

// Node drops what arrives while nobody asks and keeps the connection, so that the rest would be read as the next answer.
test('a connection on which the upstream speaks unasked is not used again', async (t) => {
  const { guard, upstream } = await startPair(t, ({ target }) =>
    target === '/short'
      ? {
          headers: { 'Content-Length': '2' },
          body: ['ok', 30, 'more than the length', 120, 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'],
          end: 'hang',
        }
      : { delayMs: 150, body: 'mine' },
  );
  assert.equal((await ask(guard.port, get('/llm-a/short'))).body.toString(), 'ok');
  await sleep(80);
  assert.equal((await ask(guard.port, get('/llm-a/next'))).body.toString(), 'mine');
  assert.equal(upstream.connections.length, 2);
});

// http-proxy's `timeout` sets a timer on the client's socket, which outlives the call and cuts the next one.
test('an upstream that failed leaves nothing behind on the client connection', async (t) => {
  const { guard } = await startPair(t, ({ target }) =>
    target === '/bad' ? { raw: '', end: 'rst' } : { delayMs: 50, body: 'ok' },
  );
  const client = await openClient(guard.port);
  client.say(get('/llm-a/bad'));
  await client.heard(1);
  await sleep(100);
  client.say(get('/llm-a/good'));
  const [bad, good] = await client.heard(2);
  assertRefusal(bad, 502, 'upstream_closed');
  assert.equal(good?.body.toString(), 'ok');
  client.leave();
});

test('an answer is never given to the call before or after it', async (t) => {
  const { guard, upstream } = await startPair(
    t,
    ({ target, index }) => ({ delayMs: (index * 7) % 23, body: `${target} ${'z'.repeat(index % 5000)}` }),
    { upstream: { max_sockets: 4 } },
  );
  const client = async (lane: number) => {
    for (let i = 0; i < 15; i += 1) {
      const target = `/${lane}-${i}`;
      if ((lane + i) % 5 === 0) {
        const leaver = await openClient(guard.port);
        leaver.say(get(`/llm-a${target}`));
        await sleep(2);
        leaver.leave();
      } else {
        const [answer] = await talk(guard.port, get(`/llm-a${target}`));
        assert.equal(answer!.body.toString().split(' ')[0], target);
      }
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, lane) => client(lane)));
  assert.deepEqual(upstream.violations, []);
});

// Newer runtimes print a warning for each start, and will one day throw, when http-proxy's util._extend is used.
test('a call works with deprecation warnings turned into errors', async () => {
  const script = `
    const { startGuard } = await import('${new URL('helpers/guard.js', import.meta.url).href}');
    const { startRecorder } = await import('${new URL('helpers/recorder.js', import.meta.url).href}');
    const upstream = await startRecorder({ body: 'ok' });
    const guard = await startGuard({ upstreams: { a: { url: upstream.url } }, config: { scanner: { enabled: false } } });
    const answer = await fetch(guard.url + '/a/x', { method: 'POST', body: 'hi' });
    process.exitCode = (await answer.text()) === 'ok' ? 0 : 3;
    await guard.close();
    await upstream.close();`;
  const args = ['--throw-deprecation', '--pending-deprecation', '--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const code = await new Promise((resolve) => {
    child.once('exit', resolve);
  });
  assert.equal(code, 0, complaint);
});
