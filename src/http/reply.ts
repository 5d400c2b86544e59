import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { envelope, reasonPhrase, type Refusal } from '../domain/refusal.ts';
import { hasBody } from './body.ts';
import { linger } from './linger.ts';

/**
 * Writes responses that guard creates itself: JSON, text and refusals. Responses of an upstream are sent by src/proxy.
 */

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
  // Write the whole response, but do not end it: Node closes the connection at the end, and a reset because of unread
  // bytes could overtake the response. `cork` and `uncork` send it now. In the next turn of the event loop the parser
  // may already have closed the connection.
  response.cork();
  response.write(bytes);
  response.uncork();
  linger(request, () => response.end());
}

/**
 * Refuses a request that Node's parser or its timers rejected. A response object may be missing then, so it writes to the
 * socket.
 */
export function refuseSocket(socket: Duplex, refusal: Refusal, headers: Readonly<Record<string, string>>): void {
  const body = envelope(refusal);
  const lines = [
    `HTTP/1.1 ${refusal.status} ${reasonPhrase(refusal)}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries({ ...refusal.headers, ...headers }).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
