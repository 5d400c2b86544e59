import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const LISTENER = `
const { createServer } = require('node:net');
const { parentPort } = require('node:worker_threads');
const server = createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  // Blocks this thread's loop: the kernel queues a connection or two, and the rest get no answer at all.
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
});`;

export interface SilentListener {
  readonly url: string;
  close(): Promise<void>;
}

/** A loopback address on which connecting hangs, as it does behind a firewall that drops what it does not like. */
export async function startSilentListener(): Promise<SilentListener> {
  const worker = new Worker(LISTENER, { eval: true });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const fillers: Socket[] = [];
  // One that still waits says little on a busy machine: it may be this thread that has not heard of its connection.
  for (let waiting = 0; waiting < 3;) {
    if (fillers.length > 20) throw new Error('the backlog never fills');
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    fillers.push(socket);
    await sleep(50);
    // What the kernel has to say is heard between two timers.
    await new Promise((resolve) => setImmediate(resolve));
    waiting = socket.connecting ? waiting + 1 : 0;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of fillers) socket.destroy();
      await worker.terminate();
    },
  };
}
