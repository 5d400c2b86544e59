/** Something of ours that throws ends its own call: it is neither swallowed, nor taken for the scanner's, nor the end of the process. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openExchange } from '../src/domain/exchange.ts';
import type { Mistake } from '../src/domain/mistake.ts';
import { NOT_IN_ROSTER } from '../src/domain/roster.ts';
import { closeAll } from '../src/domain/opened.ts';
import { readBody } from '../src/http/body.ts';
import type { ReadingRoom } from '../src/http/reading-room.ts';
import { guarded, later, type Call, type Runtime } from '../src/routes/call.ts';

const SECRET = 'sk-what-somebody-sent';

async function answering(t: TestContext, work: (call: Call) => Promise<void>) {
  const mistakes: Mistake[] = [];
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    const call: Call = {
      request,
      response,
      target: { path: '/x', query: '', name: '', rest: '' },
      exchange: openExchange('an-id', null, 'GET', 0),
      runtime: { reportOwnFault: (what: Mistake) => void mistakes.push(what) } as unknown as Runtime,
      client: null,
      onClose: null,
      onHardStop: null,
      index: NOT_IN_ROSTER,
    };
    calls.push(call);
    later(call, work(call));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, mistakes, calls };
}

test('a mistake of ours before an answer has begun is answered with 500, and its place in the code is logged', async (t) => {
  const { url, mistakes, calls } = await answering(t, () => Promise.reject(new TypeError(SECRET)));
  const answer = await fetch(url);
  assert.equal(answer.status, 500);
  assert.equal(((await answer.json()) as { error: { type: string } }).error.type, 'internal_error');
  assert.equal(calls[0]!.exchange.refusal, 'internal_error');
  assert.equal(calls[0]!.exchange.ending, 'refused');
  assert.equal(mistakes.length, 1);
  assert.equal(mistakes[0]!.error_code, 'TypeError');
  assert.match(mistakes[0]!.reason, /^at .*test/);
  assert.ok(!JSON.stringify(mistakes).includes(SECRET), 'a message may quote what was sent');
});

test('a mistake of ours once an answer has begun cuts it off, so that nobody takes it for whole', async (t) => {
  const { url, mistakes, calls } = await answering(t, async ({ response }) => {
    response.writeHead(200, { 'Content-Length': 100 });
    await new Promise<void>((resolve) => response.write('half', () => resolve()));
    throw new Error(SECRET);
  });
  const answer = await fetch(url);
  await assert.rejects(answer.text());
  assert.equal(calls[0]!.exchange.ending, 'cut');
  assert.equal(mistakes.length, 1);
});

test('a mistake of ours in an answer that ends by closing resets the connection', async (t) => {
  const { url, calls } = await answering(t, async ({ response }) => {
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
    response.writeHead(200);
    response.write('half');
    // A reset that comes together with bytes is told as an end by the client's own library.
    await sleep(50);
    throw new Error(SECRET);
  });
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET /x HTTP/1.1\r\nHost: x\r\n\r\n'));
  socket.resume();
  let code: string | undefined;
  socket.once('error', (error: NodeJS.ErrnoException) => (code = error.code));
  await new Promise((resolve) => socket.once('close', resolve));
  assert.equal(code, 'ECONNRESET');
  assert.equal(calls[0]!.exchange.ending, 'cut');
});

test('a mistake of ours in an event ends its own call, and not the process', async (t) => {
  const { url, mistakes } = await answering(t, (call) => {
    guarded(call, () => {
      throw new RangeError(SECRET);
    });
    return Promise.resolve();
  });
  const answer = await fetch(url);
  assert.equal(answer.status, 500);
  assert.equal(mistakes[0]!.error_code, 'RangeError');
});

test('a mistake of ours where a body was read gives its room back', () => {
  let given = 0;
  const room: ReadingRoom = {
    take(_bytes, reader) {
      reader.onAdmitted();
      return { giveBack: () => void (given += 1) };
    },
  };
  const headers = { 'content-length': '200000' };
  const request = Object.assign(new EventEmitter(), { headers, resume() {}, pause() {} }) as unknown as IncomingMessage;
  const done = (): void => {
    throw new Error(SECRET);
  };
  readBody(request, 1_000_000, done, room);
  request.emit('data', Buffer.alloc(200_000));
  assert.equal(given, 0);
  assert.throws(() => request.emit('end'));
  assert.equal(given, 1);
});

test('what cannot be closed keeps nothing else open', async () => {
  const closed: string[] = [];
  const opened = [
    () => void closed.push('first'),
    () => Promise.reject(new Error('the second')),
    () => void closed.push('third'),
  ];
  await assert.rejects(closeAll(opened), /the second/);
  assert.deepEqual(closed, ['third', 'first']);
});

test('a mistake of ours after a whole answer takes nothing from its reader', async (t) => {
  const { url, mistakes, calls } = await answering(t, ({ response }) => {
    response.end('x'.repeat(5_000_000));
    return Promise.reject(new Error(SECRET));
  });
  const answer = await fetch(url);
  assert.equal((await answer.text()).length, 5_000_000);
  assert.equal(calls[0]!.exchange.ending, 'answered');
  assert.equal(mistakes.length, 1);
});
