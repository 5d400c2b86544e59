/** A chunk that is written in one piece is what Node would have written in four. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import test, { type TestContext } from 'node:test';
import { writeAsOneChunk } from '../src/http/one-chunk.ts';

const PIECES = ['data: a\n\n', 'é'.repeat(1900), 'é'.repeat(5000), 'x', 'y'.repeat(70_000)].map((text) =>
  Buffer.from(text),
);

async function answerTo(t: TestContext, version: '1.0' | '1.1', whole: boolean): Promise<string> {
  const server = createServer((_, response) => {
    response.sendDate = false;
    response.writeHead(200, ['content-type', 'text/event-stream']);
    for (const piece of PIECES) {
      if (whole) writeAsOneChunk(response, piece);
      else response.write(piece);
    }
    assert.equal(response.chunkedEncoding, version === '1.1');
    response.end(Buffer.from('last'));
  });
  t.after(() => server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`GET / HTTP/${version}\r\nHost: a\r\nConnection: close\r\n\r\n`);
  let bytes = '';
  for await (const chunk of socket.setEncoding('latin1')) bytes += chunk as string;
  return bytes;
}

for (const version of ['1.1', '1.0'] as const) {
  test(`byte for byte, for a client of HTTP/${version}`, async (t) => {
    const theirs = await answerTo(t, version, false);
    assert.ok(theirs.length > 80_000);
    assert.equal(await answerTo(t, version, true), theirs);
  });
}

test('nothing is not the end of a body', async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(200);
    writeAsOneChunk(response, Buffer.alloc(0));
    writeAsOneChunk(response, Buffer.from('after'));
    response.end();
  });
  t.after(() => server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  assert.equal(await answer.text(), 'after');
});
