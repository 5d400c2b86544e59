import http, { type Server } from 'node:http';

export interface ListenerSettings {
  readonly max_connections: number;
  readonly keep_alive_timeout_ms: number;
  readonly headers_timeout_ms: number;
  readonly request_timeout_ms: number;
}

/** Node's HTTP server with its limits set, and without those of its defaults that would drop or delay something silently. */
export function createListener(settings: ListenerSettings): Server {
  const server = http.createServer({
    insecureHTTPParser: false,
    // Our own check answers in the error envelope.
    requireHostHeader: false,
    keepAliveTimeout: settings.keep_alive_timeout_ms,
    headersTimeout: settings.headers_timeout_ms,
    requestTimeout: Math.max(settings.request_timeout_ms, settings.headers_timeout_ms),
    // The default of 30 s would make every timeout up to 30 s late.
    connectionsCheckingInterval: 1000,
    maxHeaderSize: 16_384,
  });
  // Past the default limit of 1000, Node drops headers silently, and a dropped one may be the framing. `headFault`
  // counts them.
  server.maxHeadersCount = 0;
  server.maxConnections = settings.max_connections;
  server.timeout = 0;
  // Reading the address here makes Node cache it. The log line of a client that left is written after the socket has
  // closed, when the address could no longer be read.
  server.on('connection', (socket) => void socket.remoteAddress);
  // There is deliberately no `upgrade` listener. With one, Node hands over a raw socket for `Upgrade: h2c` too, which
  // Java's HTTP client sends with every first request, as an offer only. Without one, such a request is an ordinary
  // one, and the offer is not forwarded.
  return server;
}

/** Rejects when the address cannot be listened on. */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
