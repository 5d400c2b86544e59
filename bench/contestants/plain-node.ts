/** A minimal proxy written by hand: node:http to node:http with keep-alive and no checks. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveControl } from '../child.ts';

const { upstreamPort } = JSON.parse(process.argv[2]!) as { upstreamPort: number };
const agent = new http.Agent({ keepAlive: true, maxSockets: 512, scheduling: 'lifo' });

const server = http.createServer((request, response) => {
  const outgoing = http.request(
    {
      host: '127.0.0.1',
      port: upstreamPort,
      method: request.method,
      path: request.url,
      headers: request.headers,
      agent,
    },
    (incoming) => {
      response.writeHead(incoming.statusCode!, incoming.headers);
      incoming.pipe(response);
    },
  );
  outgoing.on('error', () => response.destroy());
  request.pipe(outgoing);
});

server.listen(0, '127.0.0.1', 1024, () => serveControl((server.address() as AddressInfo).port, () => {}));
