/** What is read of long bodies at once is bounded; who finds no room waits at the other end of the connection. */
import assert from 'node:assert/strict';
import { createServer, request as ask, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { joined } from '../src/domain/bytes.ts';
import { readBody, type Body } from '../src/http/body.ts';
import { createReadingRoom, readingRoomOf, type Reservation, type ReadingRoom } from '../src/http/reading-room.ts';

const MB = 1_048_576;
const LIMIT = 10 * MB;
const nobody = { onAdmitted: () => {}, bytesRead: () => 0, onEvicted: () => {} };

test('bodies that wait are let in when there is room, in the order of coming, and a single one always fits', () => {
  const room = createReadingRoom(10);
  const came: string[] = [];
  const take = (name: string, bytes: number): Reservation =>
    room.take(bytes, { ...nobody, onAdmitted: () => came.push(name) });
  const a = take('a', 6);
  const b = take('b', 6);
  take('c', 3);
  assert.deepEqual(came, ['a'], 'c is shorter than b, and does not overtake it');
  a.giveBack();
  assert.deepEqual(came, ['a', 'b', 'c']);
  const d = take('d', 2);
  const e = take('e', 1);
  d.giveBack();
  assert.deepEqual(came, ['a', 'b', 'c', 'e'], 'who left while waiting is not called');
  b.giveBack();
  b.giveBack();
  e.giveBack();
  take('f', 8);
  assert.deepEqual(came, ['a', 'b', 'c', 'e'], 'a place is given back once');
  const alone = createReadingRoom(10);
  let isIn = false;
  alone.take(1000, { ...nobody, onAdmitted: () => (isIn = true) });
  assert.ok(isIn);
});

test('a body that is let in because another waited too long is not sent away in the same moment', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const room = createReadingRoom(10, { waitMs: 1000, graceMs: Infinity, leastBytesPerS: 0 });
  const told: string[] = [];
  const take = (name: string, bytes: number): void => {
    const place = room.take(bytes, {
      onAdmitted: () => told.push(`${name} comes`),
      bytesRead: () => 0,
      onEvicted(why) {
        told.push(`${name} leaves: ${why}`);
        place.giveBack();
      },
    });
  };
  take('first', 6);
  take('big', 8);
  take('small', 3);
  take('last', 8);
  for (now = 250; now <= 1500; now += 250) t.mock.timers.tick(250);
  assert.deepEqual(told, ['first comes', 'big leaves: overloaded', 'small comes', 'last leaves: overloaded']);
});

test('the room follows the memory that there is', () => {
  const admits = (limit: number): number => {
    const room = readingRoomOf(limit);
    let count = 0;
    for (let i = 0; i < 100; i += 1) room.take(8 * MB, { ...nobody, onAdmitted: () => (count += 1) });
    return count;
  };
  assert.equal(admits(128 * MB), 2);
  assert.equal(admits(512 * MB), 4);
  assert.equal(admits(65_536 * MB), 32);
});

async function reader(t: TestContext, room: ReadingRoom) {
  const bodies: Body[] = [];
  const server = createServer((request, response) => {
    readBody(
      request,
      LIMIT,
      (body) => {
        bodies.push(body);
        response.end();
      },
      room,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const begin = (headers: Record<string, string>): ClientRequest => {
    const call = ask({ port: (server.address() as AddressInfo).port, method: 'POST', headers, agent: false });
    call.on('error', () => {});
    call.on('response', (answer) => answer.resume());
    return call;
  };
  const until = async (count: number): Promise<void> => {
    for (let waited = 0; bodies.length < count && waited < 5000; waited += 10) await sleep(10);
    assert.equal(bodies.length, count);
  };
  return { bodies, begin, until };
}

const bytesOf = (body: Body | undefined): Buffer => {
  assert.equal(body?.kind, 'bytes');
  return joined((body as Extract<Body, { kind: 'bytes' }>).bytes!);
};
const pattern = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) & 255));

for (const [how, headers] of [
  ['whose length is announced', { 'content-length': String(3 * MB) }],
  ['that comes in chunks', { 'transfer-encoding': 'chunked' }],
] as const) {
  test(`a long body ${how} waits for the one before it, and then comes whole`, async (t) => {
    const { bodies, begin, until } = await reader(t, createReadingRoom(MB));
    const first = begin({ 'content-length': String(3 * MB) });
    first.write(pattern(3 * MB).subarray(0, 200_000));
    await sleep(50);
    const second = begin(headers);
    second.end(pattern(3 * MB));
    const short = begin({});
    short.end('short');
    await until(1);
    assert.equal(bytesOf(bodies[0]).toString(), 'short', 'short ones need no room');
    await sleep(100);
    assert.equal(bodies.length, 1);
    first.end(pattern(3 * MB).subarray(200_000));
    await until(3);
    for (const body of bodies.slice(1)) assert.ok(bytesOf(body).equals(pattern(3 * MB)));
  });
}

test('a client that leaves gives its place back', async (t) => {
  const { bodies, begin, until } = await reader(t, createReadingRoom(MB));
  const first = begin({ 'content-length': String(3 * MB) });
  first.write(pattern(200_000));
  await sleep(50);
  begin({ 'content-length': String(3 * MB) }).end(pattern(3 * MB));
  await sleep(50);
  first.destroy();
  await until(2);
  assert.equal(bodies[0]!.kind, 'client-left');
  assert.ok(bytesOf(bodies[1]).equals(pattern(3 * MB)));
});

test('a body that grows beyond the limit is refused, and gives its place back', async (t) => {
  const { bodies, begin, until } = await reader(t, createReadingRoom(MB));
  begin({ 'transfer-encoding': 'chunked' }).end(pattern(LIMIT + 1));
  await until(1);
  assert.deepEqual(bodies[0], { kind: 'refused', type: 'payload_too_large' });
  begin({}).end(pattern(MB));
  await until(2);
  assert.equal(bytesOf(bodies[1]).length, MB);
});

test('who sends a byte now and then keeps nobody out: while others wait, a place is for those who read', async (t) => {
  const room = createReadingRoom(MB, { waitMs: 5000, graceMs: 600, leastBytesPerS: 100_000 });
  const { bodies, begin, until } = await reader(t, room);
  const idle = begin({ 'content-length': String(3 * MB) });
  idle.write(pattern(100_000));
  const trickle = setInterval(() => idle.write('x'), 50);
  t.after(() => clearInterval(trickle));
  await sleep(1500);
  assert.equal(bodies.length, 0, 'alone, it may take its time');
  begin({ 'content-length': String(2 * MB) }).end(pattern(2 * MB));
  await until(2);
  assert.deepEqual(bodies[0], { kind: 'refused', type: 'request_timeout' });
  assert.ok(bytesOf(bodies[1]).equals(pattern(2 * MB)));
});

test('who sends at a fair pace stays, and who waited too long is told to come again', async (t) => {
  const room = createReadingRoom(MB, { waitMs: 800, graceMs: 200, leastBytesPerS: 200_000 });
  const { bodies, begin, until } = await reader(t, room);
  const whole = pattern(2 * MB);
  const steady = begin({ 'content-length': String(2 * MB) });
  steady.write(whole.subarray(0, 100_000));
  let sent = 100_000;
  const pace = setInterval(() => {
    steady.write(whole.subarray(sent, sent + 50_000));
    sent += 50_000;
  }, 50);
  t.after(() => clearInterval(pace));
  await sleep(100);
  begin({ 'content-length': String(2 * MB) }).end(whole);
  await until(1);
  assert.deepEqual(bodies[0], { kind: 'refused', type: 'overloaded' });
  clearInterval(pace);
  steady.end(whole.subarray(sent));
  await until(2);
  assert.ok(bytesOf(bodies[1]).equals(whole));
});

test('a stall of the main thread is laid to nobody, neither to who sends nor to who waits', async (t) => {
  const room = createReadingRoom(MB, { waitMs: 3000, graceMs: 3000, leastBytesPerS: 131_072 });
  const { bodies, begin, until } = await reader(t, room);
  const whole = pattern(2 * MB);
  const first = begin({ 'content-length': String(2 * MB) });
  first.write(whole.subarray(0, 100_000));
  await sleep(100);
  begin({ 'content-length': String(2 * MB) }).end(whole);
  await sleep(100);
  const over = performance.now() + 4000;
  while (performance.now() < over);
  await sleep(100);
  first.end(whole.subarray(100_000));
  await until(2);
  for (const body of bodies) assert.ok(bytesOf(body).equals(whole));
});
