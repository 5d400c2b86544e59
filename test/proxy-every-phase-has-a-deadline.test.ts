/** Nothing may wait for ever: each phase of a call has its own deadline, its own label and an end that the client notices. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { describe, test, type TestContext } from 'node:test';
import { startGuard, type Guard } from './helpers/guard.ts';
import { startPair } from './helpers/pair.ts';
import { ask, get, openClient, post } from './helpers/raw-client.ts';
import { assertRefusal, inBand } from './helpers/refusals.ts';
import { startSilentListener } from './helpers/silent-listener.ts';

/** Asks, and reads what has come once its own input ends. Tells how that ended. */
const READS_LATE = `
import socket, sys
server = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
server.sendall(sys.argv[2].encode())
sys.stdin.read()
try:
    while server.recv(65536): pass
    print('end')
except OSError as error:
    print(type(error).__name__)
`;

async function faultCounted(guard: Guard, fault: string): Promise<void> {
  assert.match(
    await guard.metrics(),
    new RegExp(`guard_upstream_faults_total\\{upstream="llm-a",fault="${fault}"\\} 1\\n`),
  );
}

async function within(min: number, max: number, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  assert.ok(ms >= min && ms <= max, `${ms.toFixed(0)} ms is not between ${min} and ${max}`);
}

describe('deadlines', { concurrency: true }, () => {
  // A socket-idle timer, which is what http-proxy's proxyTimeout sets, does not run while connecting.
  test('a connection that nobody answers is a 504 after the connect time', async (t: TestContext) => {
    const listener = await startSilentListener();
    t.after(() => listener.close());
    const guard = await startGuard({
      upstreams: { 'llm-a': { url: listener.url, connect_timeout_ms: 200 } },
      config: { scanner: { enabled: false } },
    });
    t.after(() => guard.close());
    await within(150, 4000, async () =>
      assertRefusal(await ask(guard.port, post('/llm-a/x', 'hi')), 504, 'upstream_timeout'),
    );
    await faultCounted(guard, 'connect-timeout');
  });

  test('a call that finds no free connection is a 504 after the queue time, and never reaches the upstream', async (t: TestContext) => {
    const { guard, upstream } = await startPair(
      t,
      { end: 'hang', raw: '' },
      { upstream: { max_sockets: 1, queue_timeout_ms: 200 } },
    );
    const first = await openClient(guard.port);
    first.say(get('/llm-a/first'));
    await upstream.waitFor(() => upstream.requests.length === 1);
    await within(150, 4000, async () =>
      assertRefusal(await ask(guard.port, get('/llm-a/second')), 504, 'upstream_timeout'),
    );
    await faultCounted(guard, 'queue-timeout');
    assert.deepEqual(
      upstream.requests.map(({ target }) => target),
      ['/first'],
    );
    first.leave();
  });

  test('an upstream that never answers is a 504 after the response time, and its connection is closed', async (t: TestContext) => {
    const { guard, upstream } = await startPair(t, { raw: '', end: 'hang' }, { upstream: { timeout_s: 1 } });
    await within(900, 5000, async () =>
      assertRefusal(await ask(guard.port, post('/llm-a/x', 'hi')), 504, 'upstream_timeout'),
    );
    await upstream.waitFor(() => upstream.connections[0]!.closed !== null);
    await faultCounted(guard, 'first-byte-timeout');
  });

  test('half a response head does not count as an answer', async (t: TestContext) => {
    const { guard } = await startPair(
      t,
      { raw: 'HTTP/1.1 200 OK\r\nX: y\r\n', end: 'hang' },
      { upstream: { timeout_s: 1 } },
    );
    await within(900, 5000, async () => assertRefusal(await ask(guard.port, get('/llm-a/x')), 504, 'upstream_timeout'));
  });

  test('a body that falls silent is cut, so that its reader notices', async (t: TestContext) => {
    const { guard, upstream } = await startPair(
      t,
      { body: ['half'], framing: 'chunked', end: 'hang' },
      { upstream: { idle_timeout_s: 1 } },
    );
    const client = await openClient(guard.port);
    client.say(get('/llm-a/x'));
    await client.ended();
    assert.equal(client.answers()[0]?.complete, false);
    assert.equal(client.answers()[0]?.body.toString(), 'half');
    await upstream.waitFor(() => upstream.connections[0]!.closed !== null);
    await faultCounted(guard, 'idle-timeout');
  });

  test('an event stream that falls silent ends with an error event of the documented bytes', async (t: TestContext) => {
    const headers = { 'Content-Type': 'text/event-stream; charset=utf-8' };
    const { guard, upstream } = await startPair(
      t,
      { headers, body: ['data: 1\n\n'], framing: 'chunked', end: 'hang' },
      { upstream: { idle_timeout_s: 1 } },
    );
    const answer = await ask(guard.port, get('/llm-a/x'));
    const told = inBand('sse', 'upstream_timeout', 'The upstream did not answer in time');
    assert.equal(answer.body.toString(), `data: 1\n\n${told}`);
    assert.equal(answer.complete, true);
    await upstream.waitFor(() => upstream.connections[0]!.closed !== null);
  });

  test('a stream that falls silent inside an event is cut and not continued with words of ours', async (t: TestContext) => {
    const headers = { 'Content-Type': 'text/event-stream' };
    const { guard } = await startPair(
      t,
      { headers, body: ['data: 1\n\ndata: {"ha'], framing: 'chunked', end: 'hang' },
      { upstream: { idle_timeout_s: 1 } },
    );
    const client = await openClient(guard.port);
    client.say(get('/llm-a/x'));
    await client.ended();
    assert.equal(client.answers()[0]?.body.toString(), 'data: 1\n\ndata: {"ha');
    assert.equal(client.answers()[0]?.complete, false);
  });

  test('lines of JSON that fall silent end with one line that every client raises on', async (t: TestContext) => {
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const { guard } = await startPair(
      t,
      { headers, body: ['{"a":1}\n'], framing: 'chunked', end: 'hang' },
      { upstream: { idle_timeout_s: 1 } },
    );
    const answer = await ask(guard.port, get('/llm-a/x'));
    const told = inBand('ndjson', 'upstream_timeout', 'The upstream did not answer in time');
    assert.equal(answer.body.toString(), `{"a":1}\n${told}`);
  });

  test('a stream that keeps talking is not silent, however long it lasts', async (t: TestContext) => {
    const pieces = Array.from({ length: 9 }, (_, i) => [`data: ${i}\n\n`, 250]).flat();
    const { guard } = await startPair(
      t,
      { headers: { 'Content-Type': 'text/event-stream' }, body: pieces, framing: 'chunked' },
      { upstream: { idle_timeout_s: 1 } },
    );
    const client = await openClient(guard.port);
    client.say(get('/llm-a/x'));
    const [answer] = await client.heard(1);
    assert.equal(answer?.body.toString().split('\n\n').length, 10);
    client.leave();
  });

  test('a whole exchange ends after the total time, even while it talks', async (t: TestContext) => {
    const pieces = Array.from({ length: 40 }, () => ['data: x\n\n', 100]).flat();
    const { guard, upstream } = await startPair(
      t,
      { headers: { 'Content-Type': 'text/event-stream' }, body: pieces, framing: 'chunked' },
      { upstream: { total_timeout_s: 1 } },
    );
    const client = await openClient(guard.port);
    client.say(get('/llm-a/x'));
    const [answer] = await client.heard(1);
    const [frames = '', told] = answer!.body.toString().split('event: error');
    assert.match(frames, /^(?:data: x\n\n){7,12}$/);
    assert.equal(`event: error${told}`, inBand('sse', 'upstream_timeout', 'The upstream did not answer in time'));
    await upstream.waitFor(() => upstream.connections[0]!.closed !== null);
    await faultCounted(guard, 'total-timeout');
    client.leave();
  });

  // Node has no send timeout: clients that ask and do not read stay for ever, with all that was read for them.
  test('a client that does not read is cut off, and the upstream with it', async (t: TestContext) => {
    const big = Buffer.alloc(1_000_000, 'x');
    const { guard, upstream } = await startPair(
      t,
      { body: Array.from({ length: 64 }, () => big) },
      { config: { server: { write_stall_ms: 300 }, scanner: { enabled: false } } },
    );
    const client = await openClient(guard.port);
    client.socket.pause();
    client.say(get('/llm-a/x'));
    await upstream.waitFor(() => upstream.connections[0]?.closed);
    await upstream.waitFor(() => guard.service.inFlight() === 0);
    assert.ok(upstream.connections[0]!.bytesSent < 40_000_000, 'reading stops when nobody takes it');
    await upstream.waitFor(() => guard.logs().some((line) => line.includes('"ending":"cut"')));
    client.leave();
  });

  // Python reads, because libuv takes a reset behind bytes that were not read yet for a regular end.
  test('a client that reads on after it was cut off does not take an answer without a length for complete', async (t: TestContext) => {
    const big = Buffer.alloc(1_000_000, 'x');
    const { guard, upstream } = await startPair(
      t,
      { body: Array.from({ length: 64 }, () => big), framing: 'close' },
      { config: { server: { write_stall_ms: 300 }, scanner: { enabled: false } } },
    );
    const reader = spawn('python3', ['-c', READS_LATE, String(guard.port), get('/llm-a/x')]);
    t.after(() => reader.kill());
    await upstream.waitFor(() => upstream.connections[0]?.closed);
    reader.stdin.end();
    // To its end: where Python buffers nothing, a line comes in two pieces.
    assert.equal(await text(reader.stdout), 'ConnectionResetError\n');
  });
});

// Not beside the others: forty megabytes, made and sent in this process, would keep their timers waiting.
describe('deadlines of scanned streams', () => {
  // A verdict on what was sent already says nothing of the client: a step that ended used to wake the upstream for one that slept.
  for (const mode of ['passthrough', 'buffered']) {
    test(`a client that does not read a scanned stream (${mode}) is cut off as well`, async (t: TestContext) => {
      const frame = `data: ${JSON.stringify({ choices: [{ delta: { content: 'some words of a long story '.repeat(400) } }] })}\n\n`;
      const { guard, upstream } = await startPair(
        t,
        { headers: { 'Content-Type': 'text/event-stream' }, body: Array.from({ length: 4000 }, () => frame) },
        {
          config: {
            server: { write_stall_ms: 700 },
            scanner: { response: { enabled: true, mode, buffer_chars: 10 } },
            security: { scanner_timeout_ms: 5000 },
          },
        },
      );
      const client = await openClient(guard.port);
      client.socket.pause();
      client.say(get('/llm-a/v1/threads/t/messages'));
      await upstream.waitFor(() => upstream.connections[0]?.closed);
      await upstream.waitFor(() => guard.service.inFlight() === 0);
      assert.ok(
        upstream.connections[0]!.bytesSent < 30_000_000,
        `${upstream.connections[0]!.bytesSent} bytes were sent`,
      );
      await upstream.waitFor(() => guard.logs().some((line) => line.includes('"ending":"cut"')));
      client.leave();
    });
  }
});
