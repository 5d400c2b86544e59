/**
 * The upstream of the stream benchmark, in a process of its own. Each call gets a stream of chat chunks, one event
 * per write, at the rate given in its path: `/<events>/<milliseconds between>/...`, or `/leak/0/...` for a stream
 * that contains a secret. One timer serves all streams, because one for each would cost more than what is measured.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { serveControl } from './child.ts';
import { readMessages } from './messages.ts';
import { DONE, eventsOf, LEAK, STREAM_HEAD } from './stream-events.ts';

interface OpenStream {
  readonly socket: Socket;
  readonly everyMs: number;
  /** Each stream starts at a different position in the text; otherwise all would send the same at the same time. */
  readonly offset: number;
  left: number;
  said: number;
  dueAt: number;
}

const events = eventsOf(1000);
const openStreams = new Set<OpenStream>();
let calls = 0;

const server = createServer({ noDelay: true }, (socket) => {
  const feed = readMessages(({ head }) => {
    const asked = /^POST \S*?\/(\d+|leak)\/(\d+)\/v1\//.exec(head.toString('latin1', 0, 200));
    if (asked === null) {
      socket.destroy();
      return;
    }
    if (asked[1] === 'leak') {
      socket.write(Buffer.concat([STREAM_HEAD, LEAK, DONE]));
      return;
    }
    calls += 1;
    const everyMs = Number(asked[2]);
    const one = { socket, everyMs, offset: calls * 37, left: Number(asked[1]), said: 0, dueAt: 0 };
    socket.write(STREAM_HEAD);
    sendDueEvents(one, performance.now());
    // Start times are spread over the interval, so that a thousand streams do not send at the same moment.
    one.dueAt = performance.now() + everyMs * (0.5 + ((calls * 0.618) % 1));
    openStreams.add(one);
  });
  socket.on('data', (chunk) => {
    try {
      feed(chunk);
    } catch {
      socket.destroy();
    }
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    for (const one of openStreams) if (one.socket === socket) openStreams.delete(one);
  });
});

function sendDueEvents(one: OpenStream, now: number): void {
  if (one.left === 0) {
    openStreams.delete(one);
    one.socket.write(DONE);
    return;
  }
  one.socket.write(events[(one.offset + one.said) % events.length]!);
  one.said += 1;
  one.left -= 1;
  one.dueAt = now + one.everyMs;
}

setInterval(() => {
  const now = performance.now();
  for (const one of openStreams) if (now >= one.dueAt) sendDueEvents(one, now);
}, 2);

server.listen(0, '127.0.0.1', 4096, () => {
  serveControl((server.address() as AddressInfo).port, () => {});
});
