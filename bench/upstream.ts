/**
 * The upstream of the bench, a process to itself: one answer, as cheaply as it can be given, and a count of what came. It
 * looks at every request body, because a proxy that loses or alters one would be fast for nothing.
 */
import { createServer, type AddressInfo } from 'node:net';
import { chatRequest, chatResponse, sameButStamps, stampPlaces, UPSTREAM_HEADERS } from './corpus.ts';
import { serveControl } from './child.ts';
import { readMessages } from './messages.ts';

const { requestBytes, responseBytes } = JSON.parse(process.argv[2]!) as { requestBytes: number; responseBytes: number };
const expected = chatRequest(requestBytes);
const places = stampPlaces(expected);
const body = chatResponse(responseBytes);
const head = ['HTTP/1.1 200 OK', ...UPSTREAM_HEADERS.map(([name, value]) => `${name}: ${value}`)];
const answer = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`), body]);

const seen = { requests: 0, altered: 0 };

const server = createServer({ noDelay: true }, (socket) => {
  const feed = readMessages((message) => {
    seen.requests += 1;
    if (!sameButStamps(message.body, expected, places)) seen.altered += 1;
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
    () => ({ ...seen }),
  );
});
