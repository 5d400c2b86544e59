import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { chatResponse } from '../bench/corpus.ts';
import type { LoadResult, LoadTask } from '../bench/load.ts';
import { readMessages } from '../bench/messages.ts';
import { verifyContestant } from '../bench/entrant.ts';
import { startChild, type Child } from '../bench/process.ts';
import { benchProxy, PROXY_DEFAULTS } from '../bench/proxy.ts';

const SIZES = { requestBytes: 1024, responseBytes: 512 };
const BODY = chatResponse(SIZES.responseBytes);
const ANSWER = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${BODY.length}\r\n\r\n`), BODY]);

let load: Child;
before(async () => {
  load = await startChild('load.js', SIZES);
});
after(() => load.close());

function answering(t: TestContext, answer: (index: number, send: (bytes: Buffer) => void) => void): Promise<number> {
  let index = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const feed = readMessages(() => {
      answer(index, (bytes) => socket.write(bytes));
      index += 1;
    });
    socket.on('data', feed);
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

const run = (task: LoadTask): Promise<LoadResult> => load.ask(task) as Promise<LoadResult>;

test('at a constant rate a stall of 300 ms is in the latency of each call that was due in it', async (t) => {
  const port = await answering(t, (index, send) => {
    if (index === 20) setTimeout(send, 300, ANSWER);
    else send(ANSWER);
  });
  // One connection: what is due during the stall can only go out after it.
  const result = await run({ kind: 'open', port, prefix: '', connections: 1, rate: 100, seconds: 1 });
  assert.equal(result.answered, 100);
  assert.equal(result.failed, 0);
  const slow = result.latencies.filter((ms) => ms > 100).length;
  assert.ok(slow >= 15, `${slow} calls were slow: a generator that waits for its answers would have seen one`);
  assert.ok(result.latencies.every((ms, i) => i === 0 || ms >= result.latencies[i - 1]!));
});

test('a wrong answer is a failure, not a fast answer', async (t) => {
  const wrong = Buffer.from(ANSWER);
  wrong[wrong.length - 2]! ^= 1;
  const port = await answering(t, (index, send) => send(index % 2 === 0 ? ANSWER : wrong));
  const result = await run({ kind: 'closed', port, prefix: '', connections: 1, requests: 10 });
  assert.deepEqual([result.answered, result.failed], [5, 5]);
});

test(
  'calls that wait while all connections break are failures at once, and the run ends',
  { timeout: 20_000 },
  async (t) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.resume();
    });
    t.after(() => server.close());
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
    // Two calls are under way by then, and a dozen wait.
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, 300);
    const result = await run({ kind: 'open', port, prefix: '', connections: 2, rate: 50, seconds: 0.5 });
    assert.deepEqual([result.answered, result.failed], [0, 25]);
  },
);

test('a contestant that answers from nowhere, or wrongly, is refused before it is timed', async (t) => {
  const upstream = await startChild('upstream.js', SIZES);
  t.after(() => upstream.close());
  const invented = await answering(t, (_index, send) => send(ANSWER));
  const silly = await answering(t, (_index, send) => send(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')));
  const contestant = (port: number, scans: 'guard' | 'portkey' | null, answer: 'bytes' | 'meaning' = 'bytes') => ({
    name: 'it',
    prefix: '',
    scans,
    answer,
    child: { ...upstream, port },
  });
  await assert.rejects(verifyContestant(contestant(invented, null), load, upstream), /made 0 calls of 20/);
  await assert.rejects(verifyContestant(contestant(silly, null), load, upstream), /answered 0 of 20/);
  // The upstream itself passes as a proxy that does nothing, but not as one that scans.
  await verifyContestant(contestant(upstream.port, null), load, upstream);
  await assert.rejects(verifyContestant(contestant(upstream.port, 'guard'), load, upstream), /scans nothing/);
  await assert.rejects(
    verifyContestant(contestant(upstream.port, 'portkey'), load, upstream),
    /answers 200 to an attack/,
  );
});

test('a run has a row for the yardstick and each contestant, with a ratio to the one', async () => {
  const results = await benchProxy({
    ...PROXY_DEFAULTS,
    ...SIZES,
    only: ['guard-unscanned'],
    rounds: 2,
    requests: 50,
    connections: 4,
    rate: 100,
    seconds: 0.2,
  });
  assert.deepEqual(
    results.rows.map(({ name }) => name),
    ['bare-http-proxy', 'guard-unscanned'],
  );
  const [bare, guard] = results.rows;
  assert.deepEqual(bare!.ratio, { median: 1, min: 1, max: 1 });
  assert.ok(guard!.cpu.median > 0 && guard!.ratio.median > 0 && guard!.latency!.p50.median > 0);
  await assert.rejects(benchProxy({ ...PROXY_DEFAULTS, only: ['nobody'] }), /no contestant is called nobody/);
});
