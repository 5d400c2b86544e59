import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessages, statusOf } from '../bench/messages.ts';

const TWO = Buffer.from(
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 404 Not Found\r\nX: y\r\ncontent-length: 0\r\n\r\n',
);

function read(pieces: readonly Buffer[]): [number, string][] {
  const seen: [number, string][] = [];
  const feed = readMessages(({ head, body }) => seen.push([statusOf(head), body.toString()]));
  for (const piece of pieces) feed(piece);
  return seen;
}

test('two messages are two, wherever the stream is cut', () => {
  for (let cut = 0; cut <= TWO.length; cut += 1) {
    assert.deepEqual(
      read([TWO.subarray(0, cut), TWO.subarray(cut)]),
      [
        [200, 'hello'],
        [404, ''],
      ],
      `cut at ${cut}`,
    );
  }
  assert.deepEqual(read([...TWO].map((byte) => Buffer.of(byte))), [
    [200, 'hello'],
    [404, ''],
  ]);
});

test('a body without a length is an error and not an empty body', () => {
  assert.throws(() => read([Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')]), /length/);
  assert.throws(() => read([Buffer.alloc(70_000, 97)]), /without an end/);
});

test('a body of megabytes in many pieces is put together once, and what follows it is read', () => {
  const body = Buffer.alloc(8_000_000, 97);
  const whole = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`), body, TWO]);
  const pieces: Buffer[] = [];
  for (let at = 0; at < whole.length; at += 1000) pieces.push(whole.subarray(at, at + 1000));
  const before = process.cpuUsage();
  const seen = read(pieces);
  const { user, system } = process.cpuUsage(before);
  assert.deepEqual(
    seen.map(([status, text]) => [status, text.length]),
    [
      [200, 8_000_000],
      [200, 5],
      [404, 0],
    ],
  );
  // Joined anew for each of 8000 pieces it would be 32 GB of copying.
  assert.ok(user + system < 2_000_000, `${user + system} us`);
});
