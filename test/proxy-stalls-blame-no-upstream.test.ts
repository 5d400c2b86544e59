/** While the main thread is stalled it reads no answer. One that has arrived by then is not late. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGuard } from './helpers/guard.ts';

/** In a process of its own, since it must answer while this one is stalled. */
const UPSTREAM = `
  const server = require('node:http').createServer((request, response) => setTimeout(() => response.end('{}'), 300));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

test('an answer that arrived while the main thread was stalled is delivered', async (t) => {
  const upstream = spawn(process.execPath, ['-e', UPSTREAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => upstream.kill());
  const [port] = (await once(upstream.stdout, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${Number(port)}`;
  const guard = await startGuard({
    upstreams: { 'llm-a': { url, timeout_s: 1 } },
    config: { scanner: { enabled: false } },
  });
  t.after(() => guard.close());
  const stalling = createServer((socket) => {
    socket.on('data', () => {
      const until = performance.now() + 1600;
      while (performance.now() < until);
    });
  }).listen(0, '127.0.0.1');
  await once(stalling, 'listening');
  const socket = connect((stalling.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => {
    socket.destroy();
    stalling.close();
  });
  await once(socket, 'connect');
  const call = fetch(`${guard.url}/llm-a/x`);
  await sleep(100);
  socket.write('x');
  assert.equal((await call).status, 200);
});
