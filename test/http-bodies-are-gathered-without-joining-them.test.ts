/** What a body costs in memory follows its bytes and not the number of chunks in which its sender cuts them. */
import assert from 'node:assert/strict';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { joined, piecesOf } from '../src/domain/bytes.ts';
import { readBody } from '../src/http/body.ts';
import { createGathering } from '../src/http/gathering.ts';
import { startProcess } from './helpers/process.ts';
import { openClient } from './helpers/raw-client.ts';
import { json, startRecorder } from './helpers/recorder.ts';
import { residentMb, skipWithoutProc } from './helpers/resident.ts';

const MB = 1_048_576;

function pattern(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) & 255));
}

function gather(bytes: Buffer, lengths: readonly number[]): ReturnType<ReturnType<typeof createGathering>['whole']> {
  const gathered = createGathering();
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const to = Math.min(bytes.length, at + lengths[i % lengths.length]!);
    assert.equal(gathered.add(bytes.subarray(at, to)), to);
    at = to;
  }
  assert.equal(gathered.size(), bytes.length);
  return gathered.whole();
}

function inChunksOfOne(ascii: string): string {
  return ascii.replaceAll(/[^]/g, '1\r\n$&\r\n');
}

for (const [name, lengths, mostPieces] of [
  ['of one byte', [1], 24],
  ['of a packet', [1448], 24],
  ['of a whole read', [65_536], 16],
  ['long and short by turns', [1, 40_000, 2, 70_000, 3], 60],
] as const) {
  test(`chunks ${name} come to the same bytes, in few pieces`, () => {
    const bytes = pattern(MB);
    const whole = gather(bytes, lengths);
    assert.equal(whole.length, MB);
    assert.ok(joined(whole).equals(bytes));
    assert.ok(piecesOf(whole).length <= mostPieces, `${piecesOf(whole).length} pieces`);
  });
}

test('a short body is one array, and the one chunk in which most arrive is not copied', () => {
  const bytes = pattern(1000);
  assert.equal(gather(bytes, [1000]) instanceof Buffer && joined(gather(bytes, [1000])).buffer, bytes.buffer);
  const cut = gather(bytes, [10]);
  assert.ok(cut instanceof Buffer && cut.equals(bytes));
  assert.equal(createGathering().whole().length, 0);
});

test('whole reads of a long body are neither copied nor joined', () => {
  const reads = Array.from({ length: 160 }, (_, i) => Buffer.alloc(65_536, i));
  const gathered = createGathering();
  for (const read of reads) gathered.add(read);
  const pieces = piecesOf(gathered.whole());
  assert.equal(pieces.length, reads.length);
  assert.ok(pieces.every((piece, i) => piece === reads[i]));
});

test(
  'a megabyte in chunks of one byte takes a megabyte, and goes on as it came',
  { skip: skipWithoutProc },
  async (t) => {
    const upstream = await startRecorder(json({ ok: true }));
    t.after(() => upstream.close());
    const running = await startProcess({
      server: { host: '127.0.0.1', port: 0, shutdown_delay_ms: 0 },
      upstreams: { llm: { url: upstream.url } },
      scanner: { threads: 1 },
      security: { scanner_timeout_ms: 20_000 },
    });
    t.after(() => running.close());
    const text = JSON.stringify({ messages: [{ role: 'user', content: 'a'.repeat(1000) }], pad: ' '.repeat(MB) });
    const client = await openClient(running.port);
    t.after(() => client.leave());
    const head = ['POST /llm/v1/chat/completions HTTP/1.1', 'Host: a', 'Content-Type: application/json'];
    client.say([...head, 'Transfer-Encoding: chunked', '', ''].join('\r\n'));
    const before = residentMb(running.child.pid!);
    const halfway = text.length - 1000;
    for (let at = 0; at < halfway; at += 50_000)
      client.say(inChunksOfOne(text.slice(at, Math.min(halfway, at + 50_000))));
    await client.until(() => client.socket.writableLength === 0);
    // As many objects as there are bytes took 380 MB.
    const most = residentMb(running.child.pid!);
    assert.ok(most - before < 120, `${before.toFixed(0)} MB before, ${most.toFixed(0)} MB with the body`);
    t.diagnostic(`${before.toFixed(0)} MB before, ${most.toFixed(0)} MB with the body`);
    client.say(inChunksOfOne(text.slice(halfway)) + '0\r\n\r\n');
    const [answer] = await client.heard(1);
    assert.equal(answer!.status, 200);
    assert.ok(upstream.requests[0]!.body.equals(Buffer.from(text)));
    assert.deepEqual(upstream.violations, []);
  },
);

test('eight uploads at once do not keep the event loop reading: each turn takes its share, and all arrive whole', async (t) => {
  const UPLOADS = 8;
  const bytes = pattern(8 * MB);
  let inThisTurn = 0;
  let most = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      if (inThisTurn === 0) setImmediate(() => (inThisTurn = 0));
      inThisTurn += chunk.length;
      most = Math.max(most, inThisTurn);
    });
    readBody(request, 10 * MB, (body) => {
      const whole = body.kind === 'bytes' && body.bytes !== null && joined(body.bytes).equals(bytes);
      response.end(whole ? 'whole' : 'not whole');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => server.close());
  const upload = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const call = ask({ port: (server.address() as AddressInfo).port, method: 'POST', agent: false }, (answer) => {
        answer.setEncoding('utf8');
        answer.once('data', resolve);
      });
      call.once('error', reject);
      call.end(bytes);
    });
  assert.deepEqual(await Promise.all(Array.from({ length: UPLOADS }, upload)), Array(UPLOADS).fill('whole'));
  // Half a megabyte, and what each connection had in hand when that was reached.
  assert.ok(most < MB / 2 + UPLOADS * 2 * 65_536, `${most} bytes in one turn`);
  t.diagnostic(`at most ${most} bytes in one turn`);
});
