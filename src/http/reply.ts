import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { envelope, reasonPhrase, type Refusal } from '../domain/refusal.ts';
import { hasBody, linger } from './body.ts';

/** Answers of our own. An upstream's answer is relayed elsewhere, untouched. */

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendText(response, status, 'application/json', JSON.stringify(body), headers);
}

export function sendText(
  response: ServerResponse,
  status: number,
  contentType: string,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, { ...headers, 'Content-Type': contentType, 'Content-Length': bytes.length });
  response.end(bytes);
}

export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const unread = hasBody(request) && !request.complete;
  if (refusal.close || unread) response.shouldKeepAlive = false;
  const bytes = Buffer.from(envelope(refusal));
  response.writeHead(refusal.status, reasonPhrase(refusal), {
    ...refusal.headers,
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
  });
  if (!unread) {
    response.end(bytes);
    return;
  }
  // The whole answer, but not its end: Node closes the connection with the end, and a reset would overtake the answer.
  // Corked and uncorked, it is on its way now and not in the next turn, when the parser may have ended the connection.
  response.cork();
  response.write(bytes);
  response.uncork();
  linger(request, () => response.end());
}

/** For what never became a request: a head that Node's parser refused. The socket is all there is. */
export function refuseSocket(socket: Duplex, refusal: Refusal, requestId: string): void {
  const body = envelope(refusal);
  const lines = [
    `HTTP/1.1 ${refusal.status} ${reasonPhrase(refusal)}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(refusal.headers).map(([name, value]) => `${name}: ${value}`),
    `X-Request-ID: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
