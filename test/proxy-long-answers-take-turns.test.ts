/** Answers that are judged as a whole are held here. Without a bound on all of them, one client that asks for twenty long files ends the process. */
import assert from 'node:assert/strict';
import { createServer, request as ask, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openExchange } from '../src/domain/exchange.ts';
import type { Refusal } from '../src/domain/refusal.ts';
import { createReadingRoom } from '../src/http/reading-room.ts';
import { sendRefusal } from '../src/http/reply.ts';
import type { Delivery } from '../src/proxy/delivery.ts';
import { hold } from '../src/proxy/held.ts';
import type { ResponseJudge } from '../src/proxy/response-gate.ts';
import { createDeadlineClock } from '../src/proxy/deadline.ts';

const MB = 1_048_576;
const LONG = 12 * MB;
const PATIENCE = { waitMs: 700, graceMs: Infinity, leastBytesPerS: 0 };

/** An upstream that answers with so many bytes, and before it nothing but what holds its answers. */
async function holding(t: TestContext, { announced = true, roomBytes = 16 * MB } = {}) {
  const clock = createDeadlineClock();
  const room = createReadingRoom(roomBytes, PATIENCE);
  const seen: number[] = [];
  const upstream = createServer((request, response) => {
    const bytes = Number(request.url!.slice(1));
    if (announced) response.setHeader('Content-Length', bytes);
    response.end(Buffer.alloc(bytes, 'x'));
  });
  const judge = { judgeBody: () => Promise.resolve({ kind: 'pass' }) } as unknown as ResponseJudge;
  const front = createServer((request, response) => {
    const call = ask({ port: portOf(upstream), path: request.url!, agent: false }, (answer) => {
      const delivery = {
        upstream: { idleMs: 10_000 },
        answer,
        client: response,
        exchange: openExchange('an-id', null, 'GET', 0),
        deadline: clock.open(0, () => assert.fail('overdue')),
        writeStallMs: 10_000,
        countUpstreamBreak: () => assert.fail('the upstream broke'),
        refuse: (refusal: Refusal) => sendRefusal(request, response, refusal),
        cancel: () => call.destroy(),
        onOwnFault: (error: unknown) => assert.fail(error as Error),
      } as unknown as Delivery;
      hold(delivery, judge, 50 * MB, room);
      answer.on('data', (chunk: Buffer) => {
        seen.push(chunk.length);
      });
    });
    call.on('error', () => {});
    call.end();
  });
  const portOf = (server: typeof front): number => (server.address() as AddressInfo).port;
  for (const server of [upstream, front]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const server of [upstream, front]) {
      server.closeAllConnections();
      server.close();
    }
    clock.close();
  });
  return {
    read: () => seen.reduce((sum, bytes) => sum + bytes, 0),
    /** Resolves with the head; who asked reads the rest when he likes. */
    get(bytes: number): Promise<IncomingMessage> {
      return new Promise((resolve, reject) => {
        ask({ port: portOf(front), path: `/${bytes}`, agent: false }, resolve)
          .on('error', reject)
          .end();
      });
    },
  };
}

async function drain(answer: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).length;
  return bytes;
}

for (const announced of [true, false])
  test(`a long answer ${announced ? 'of a known length' : 'in chunks'} waits until the reader of the one before has it`, async (t) => {
    const { get, read } = await holding(t, { announced });
    const first = await get(LONG);
    const second = get(LONG);
    const short = await get(1000);
    assert.equal(await drain(short), 1000, 'short ones need no place');
    await sleep(200);
    assert.ok(read() < 1.7 * LONG, `${read()} bytes were read of both`);
    assert.equal(await drain(first), LONG);
    assert.equal(await drain(await second), LONG);
  });

test('who waits for too long is told to come again', async (t) => {
  const { get } = await holding(t);
  const first = await get(LONG);
  const second = await get(LONG);
  assert.equal(second.statusCode, 503);
  second.resume();
  assert.equal(await drain(first), LONG);
});

test('one that is alone may be longer than the room', async (t) => {
  for (const announced of [true, false]) {
    const { get } = await holding(t, { announced, roomBytes: MB });
    assert.equal(await drain(await get(LONG)), LONG);
  }
});
