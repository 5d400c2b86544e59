/** The yardstick: http-proxy as in its manual, with the keep-alive agent that is usually added. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import httpProxy from 'http-proxy';
import { serveControl } from '../child.ts';

const { upstreamPort } = JSON.parse(process.argv[2]!) as { upstreamPort: number };
const agent = new http.Agent({ keepAlive: true, maxSockets: 512, scheduling: 'lifo' });
const proxy = httpProxy.createProxyServer({ target: `http://127.0.0.1:${upstreamPort}`, agent });
proxy.on('error', (_error, _request, response) => response.destroy());

const server = http.createServer((request, response) => proxy.web(request, response));
server.listen(0, '127.0.0.1', 1024, () => serveControl((server.address() as AddressInfo).port, () => {}));
