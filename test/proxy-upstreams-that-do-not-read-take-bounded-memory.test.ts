/** An upstream that accepts every connection and reads nothing holds a bounded part of the memory, and no other upstream up. */
import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { startProcess } from './helpers/process.ts';
import { ask, openClient, post } from './helpers/raw-client.ts';
import { startRecorder } from './helpers/recorder.ts';
import { assertRefusal } from './helpers/refusals.ts';

const MB = 1_048_576;

test('long bodies for an upstream that reads nothing are refused once they take their share of memory, and short ones are not', async (t) => {
  const held = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    held.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of held) socket.destroy();
    server.close();
  });
  const other = await startRecorder({ body: 'ok' });
  t.after(() => other.close());
  const running = await startProcess(
    {
      server: { host: '127.0.0.1', port: 0 },
      scanner: { enabled: false },
      security: { max_request_bytes: 25 * MB },
      upstreams: {
        deaf: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
        other: { url: other.url },
      },
    },
    { NODE_OPTIONS: `--import=data:text/javascript,process.constrainedMemory=()=>${512 * MB}` },
  );
  t.after(() => running.close());

  // More than the buffers of both ends of a connection take; three of them are more than an eighth of the memory.
  const long = post('/deaf/x', Buffer.alloc(24 * MB, 'a'));
  const waiting = [];
  for (let count = 1; count <= 2; count += 1) {
    const client = await openClient(running.port);
    client.say(long);
    waiting.push(client);
    await client.until(() => held.size === count, 20_000);
  }
  for (let i = 0; i < 2; i += 1) {
    const client = await openClient(running.port);
    client.say(long);
    assertRefusal((await client.heard(1, 20_000))[0], 503, 'overloaded');
    client.leave();
  }
  assert.equal(held.size, 2);
  assert.equal((await ask(running.port, post('/other/x', Buffer.alloc(60_000, 'a')))).body.toString(), 'ok');

  for (const client of waiting) client.reset();
  const next = await openClient(running.port);
  for (let tries = 0; held.size === 2 && tries < 100; tries += 1) {
    const client = tries === 0 ? next : await openClient(running.port);
    client.say(long);
    await client.until(() => held.size === 3 || client.answers().length > 0, 20_000);
  }
  assert.equal(held.size, 3, 'who leaves gives the room back');
});
