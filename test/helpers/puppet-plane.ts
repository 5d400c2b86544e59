/** A control plane that says what a test tells it to, and nothing else. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export const ID = 'a'.repeat(32);

export async function serverOf(
  t: TestContext,
  listener: RequestListener,
): Promise<{ url: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    response.on('error', () => {});
    request.resume();
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

export const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
};
export const isRegistration = ({ url }: IncomingMessage): boolean => url === '/v1/instances';
/** Registers honestly, then answers heartbeats as told. */
export const telling =
  (orders: unknown, more: RequestListener = (_request, response) => json(response, {}, 404)): RequestListener =>
  (request, response) => {
    if (isRegistration(request)) json(response, { instance_id: ID }, 201);
    else if (request.url!.endsWith('/heartbeat')) json(response, orders);
    else more(request, response);
  };
export const orders = (change: object = {}): object => ({ heartbeat_s: 1, bundle: null, policy_etag: null, ...change });
export const endless: RequestListener = (_request, response) => {
  response.writeHead(200);
  const pour = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
    if (!response.destroyed) response.once('drain', pour);
  };
  pour();
};
