/**
 * The benchmark's upstream, in a process of its own. It sends one fixed answer as cheaply as possible and counts
 * requests. It checks every request body, because a proxy that loses or alters one would be fast for the wrong
 * reason.
 */
import { createServer, type AddressInfo } from 'node:net';
import { chatRequest, chatResponse, messagesIn, sameButStamps, stampPlaces, UPSTREAM_HEADERS } from './corpus.ts';
import { serveControl } from './child.ts';
import type { BodyShape } from './load-calls.ts';
import { readMessages } from './messages.ts';

/**
 * Counts of requests. `altered`: the text differs from what was sent. `rewritten`: the same messages in other bytes.
 */
export interface Seen {
  requests: number;
  altered: number;
  rewritten: number;
}

const { requestBytes, responseBytes } = JSON.parse(process.argv[2]!) as { requestBytes: number; responseBytes: number };
const body = chatResponse(responseBytes);
const head = ['HTTP/1.1 200 OK', ...UPSTREAM_HEADERS.map(([name, value]) => `${name}: ${value}`)];
const answer = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`), body]);

const seen: Seen = { requests: 0, altered: 0, rewritten: 0 };
let expected = expectedBody({ bytes: requestBytes, turns: 3 });

function expectedBody({ bytes, turns }: Pick<BodyShape, 'bytes' | 'turns'>) {
  const whole = chatRequest(bytes, 1, turns);
  const messages = messagesIn(whole)!;
  return { whole, places: stampPlaces(whole), messages, messagePlaces: stampPlaces(messages) };
}

function countRequest(given: Buffer): void {
  seen.requests += 1;
  if (sameButStamps(given, expected.whole, expected.places)) return;
  const messages = messagesIn(given);
  if (messages !== null && sameButStamps(messages, expected.messages, expected.messagePlaces)) seen.rewritten += 1;
  else seen.altered += 1;
}

const server = createServer({ noDelay: true }, (socket) => {
  const feed = readMessages((message) => {
    countRequest(message.body);
    socket.write(answer);
  });
  socket.on('data', (chunk) => {
    try {
      feed(chunk);
    } catch {
      seen.altered += 1;
      socket.destroy();
    }
  });
  socket.on('error', () => {});
});

server.listen(0, '127.0.0.1', 1024, () => {
  serveControl(
    (server.address() as AddressInfo).port,
    () => {},
    (shape) => {
      if (shape !== null && shape !== undefined) expected = expectedBody(shape as BodyShape);
      return { ...seen };
    },
  );
});
