/** The recorder is what other tests believe, so it is tested against bytes written by hand. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import test from 'node:test';
import type { TestContext } from 'node:test';
import { sse, startRecorder } from './helpers/recorder.ts';
import type { Answering, RecorderOptions } from './helpers/recorder.ts';

async function recorderFor(t: TestContext, answering: Answering, options?: RecorderOptions) {
  const upstream = await startRecorder(answering, options);
  t.after(() => upstream.close());
  return upstream;
}

/** Writes the pieces on one connection and gives back all that came until the other side closed or `until` was seen. */
function talk(port: number, pieces: readonly string[], until: string | null = null): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setNoDelay(true);
    socket.on('connect', async () => {
      for (const piece of pieces) {
        socket.write(piece, 'latin1');
        await new Promise((next) => setTimeout(next, 5));
      }
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (until !== null && text.includes(until)) socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(`${text}<RST>`) : reject(error),
    );
    socket.on('close', () => resolve(text));
  });
}

test('a request is kept byte for byte, with the order, case and duplicates of its headers', async (t) => {
  const upstream = await recorderFor(t, { body: 'fine' });
  const request = 'POST /a?b=%2F HTTP/1.1\r\nhost: h\r\nX-Two: 1\r\nx-TWO: 2\r\nContent-Length: 5\r\n\r\nhello';
  const answer = await talk(upstream.port, [request.slice(0, 20), request.slice(20)], 'fine');
  const [seen] = upstream.requests;
  assert.equal(seen?.raw.toString('latin1'), request);
  assert.equal(seen.target, '/a?b=%2F');
  assert.equal(seen.body.toString(), 'hello');
  assert.deepEqual(seen.values('x-two'), ['1', '2']);
  assert.deepEqual(seen.headers[2], ['x-TWO', '2']);
  assert.equal(answer, 'HTTP/1.1 200 \r\ncontent-length: 4\r\n\r\nfine');
  assert.deepEqual(upstream.violations, []);
});

test('two requests in one packet count as two, and half a third one stays visible', async (t) => {
  const upstream = await recorderFor(t, { body: 'x' });
  const first = 'POST /1 HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n';
  const second = 'GET /2 HTTP/1.1\r\nhost: h\r\n\r\n';
  void talk(upstream.port, [`${first}${second}GET /3 HT`]).catch(() => undefined);
  await upstream.waitFor(() => upstream.requests.length === 2);
  assert.deepEqual(
    upstream.requests.map(({ target, body }) => [target, body.toString()]),
    [
      ['/1', 'abcde'],
      ['/2', ''],
    ],
  );
  assert.equal(upstream.connections[0]?.requests.length, 2);
  assert.equal(upstream.connections[0].pending.toString(), 'GET /3 HT');
});

test('a chunked body that comes byte by byte is the same body', async (t) => {
  const upstream = await recorderFor(t, { body: 'x', framing: 'close' });
  const request = 'POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n4\r\na\r\nb\r\n0\r\n\r\n';
  await talk(upstream.port, [...request]);
  assert.equal(upstream.requests[0]?.body.toString(), 'a\r\nb');
  assert.equal(upstream.requests[0].raw.toString(), request);
});

const malformed = {
  'two framings': 'POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'two lengths': 'POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 3\r\ncontent-length: 3\r\n\r\nabc',
  'a coding that is not chunked': 'POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n',
  'a bare LF': 'GET / HTTP/1.1\r\nhost: h\nx: y\r\n\r\n',
  'a folded header': 'GET / HTTP/1.1\r\nhost: h\r\nx: y\r\n z\r\n\r\n',
  'a space before the colon': 'GET / HTTP/1.1\r\nhost: h\r\ncontent-length : 3\r\n\r\nabc',
  'a chunk size with an extension':
    'POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n1;a\r\nx\r\n0\r\n\r\n',
  'a trailer': 'POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: y\r\n\r\n',
};
for (const [name, bytes] of Object.entries(malformed)) {
  test(`${name} is a violation and no request`, async (t) => {
    const upstream = await recorderFor(t, { body: 'x' });
    const answer = await talk(upstream.port, [bytes]);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.equal(upstream.requests.length, 0);
    assert.equal(upstream.violations.length, 1);
  });
}

test('an answer cut off by FIN ends before its promised length, and one cut off by RST resets the connection', async (t) => {
  const cut = await recorderFor(t, { body: 'half', end: 'fin' });
  assert.equal(
    await talk(cut.port, ['GET / HTTP/1.1\r\nhost: h\r\n\r\n']),
    'HTTP/1.1 200 \r\ncontent-length: 5\r\n\r\nhalf',
  );
  const reset = await recorderFor(t, { framing: 'chunked', body: ['half', 20], end: 'rst' });
  const seen = await talk(reset.port, ['GET / HTTP/1.1\r\nhost: h\r\n\r\n']);
  assert.match(seen, /4\r\nhalf\r\n<RST>$/);
  assert.doesNotMatch(seen, /0\r\n\r\n/);
});

test('the moment the other side leaves is known, and the rest of the answer is not written', async (t) => {
  const upstream = await recorderFor(t, sse(['data: 1\n\n', 30_000, 'data: 2\n\n']));
  await talk(upstream.port, ['GET / HTTP/1.1\r\nhost: h\r\n\r\n'], 'data: 1');
  const left = performance.now();
  const closed = await upstream.waitFor(() => upstream.connections[0]?.closed);
  assert.ok(Math.abs(closed.at - left) < 100, `${closed.at - left} ms`);
});

test('with answerAt head the answer does not wait for the body', async (t) => {
  const upstream = await recorderFor(t, { status: 413, body: 'too large', framing: 'close' }, { answerAt: 'head' });
  const answer = await talk(upstream.port, ['POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 1000\r\n\r\nonly this']);
  assert.match(answer, /^HTTP\/1\.1 413 .*too large$/s);
  assert.equal(upstream.requests.length, 1);
});

test('waiting for what never comes fails and names what was awaited', async (t) => {
  const upstream = await recorderFor(t, { body: 'x' });
  await assert.rejects(
    upstream.waitFor(() => upstream.requests.length === 7, 20),
    /in vain for: .*=== 7/,
  );
});
