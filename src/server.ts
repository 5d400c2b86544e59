import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { canonicalAddress } from './domain/address.ts';
import { openExchange } from './domain/exchange.ts';
import { codeOf, mistakeOf } from './domain/mistake.ts';
import { createRoster, NOT_IN_ROSTER } from './domain/roster.ts';
import { refuse } from './domain/refusal.ts';
import { announcedTooLarge } from './http/body.ts';
import { requestId, traceId } from './http/identity.ts';
import { refuseSocket, sendRefusal } from './http/reply.ts';
import { CONNECT, socketFaultOf, type SocketFault } from './http/socket-fault.ts';
import { parseTarget } from './http/target.ts';
import { expectsNothingElse, refusalOfUnroutable, type Expectation } from './http/unroutable.ts';
import { createHeadLog } from './observe/head-log.ts';
import type { Log } from './observe/log.ts';
import { clientOf, endAfterOwnFault, onEveryAnswer, refuseCall, type Call, type Runtime } from './routes/call.ts';
import { dispatch } from './routes/dispatch.ts';

/**
 * The HTTP listener. A request that Node's parser accepted is validated once more, and then given to its route. Whatever
 * is on the way can be counted, and is waited for at the end.
 */

export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  readonly max_connections: number;
  readonly keep_alive_timeout_ms: number;
  readonly headers_timeout_ms: number;
  readonly request_timeout_ms: number;
}

export interface Server {
  readonly address: { readonly host: string; readonly port: number };
  readonly inFlight: () => number;
  /** Whether the predicate holds for any call in progress. */
  readonly some: (is: (call: Call) => boolean) => boolean;
  /**
   * Stops accepting connections, answers with `Connection: close`, waits for calls in progress, and then ends the
   * rest in a way that the client can tell from a complete answer.
   */
  drain(delayMs: number, timeoutMs: number): Promise<{ readonly cut: number }>;
  close(): Promise<void>;
}

/** How long the last bytes on a socket have to reach the client before the socket is destroyed. */
const LAST_WORDS_MS = 500;

export async function startServer(settings: ServerSettings, runtime: () => Runtime, log: Log): Promise<Server> {
  const calls = createRoster<Call>();
  const bySocket = new WeakMap<Duplex, Call[]>();
  const heads = createHeadLog(log);
  let closing = false;

  function handle(request: IncomingMessage, response: ServerResponse, expects: Expectation): void {
    const { socket } = request;
    const onSocket = callsOn(socket);
    if (ends(socket, onSocket)) {
      // This request was pipelined behind one that closes the connection. It can never be answered, so it must not be
      // acted on.
      request.resume();
      return;
    }
    const now = runtime();
    const exchange = openExchange(requestId(request), traceId(request), request.method!, performance.now());
    const target = parseTarget(request.url);
    const call: Call = {
      request,
      response,
      target: target ?? { path: '', query: '', name: '', rest: '' },
      exchange,
      runtime: now,
      client: null,
      onClose: null,
      onHardStop: null,
      index: NOT_IN_ROSTER,
    };
    calls.add(call);
    onSocket.push(call);
    exchange.path = call.target.path;
    if (closing) response.shouldKeepAlive = false;
    response.on('error', () => {});
    response.once('close', () => close(call, onSocket));

    try {
      const refusal = refusalOfUnroutable(request, target, expects, onSocket.length);
      if (refusal !== null) refuseCall(call, refusal);
      else dispatch(call, expects === 'continue' && !announcedTooLarge(request, now.maxRequestBytes));
    } catch (error) {
      endAfterOwnFault(call, error);
    }
  }

  function callsOn(socket: Duplex): Call[] {
    const known = bySocket.get(socket);
    if (known !== undefined) return known;
    const onSocket: Call[] = [];
    bySocket.set(socket, onSocket);
    // A pipelined response whose turn never came emits no `close` event of its own, and is not marked as destroyed: its
    // route, which waits for a verdict, would still send the request to the upstream.
    socket.once('close', () => {
      for (let i = onSocket.length - 1; i >= 0; i -= 1) {
        const call = onSocket[i]!;
        call.response.destroy();
        close(call, onSocket);
      }
    });
    return onSocket;
  }

  function close(call: Call, onSocket: Call[]): void {
    const { response, exchange, runtime: now } = call;
    if (!calls.remove(call)) return;
    onSocket.splice(onSocket.indexOf(call), 1);
    if (!response.writableFinished && exchange.ending === 'answered') exchange.ending = 'client-left';
    // 499: the client left before there was a status to send.
    exchange.status = response.headersSent || exchange.ending === 'refused' ? response.statusCode : 499;
    call.onClose?.();
    const ms = performance.now() - exchange.startedAt;
    now.metrics.exchange(exchange.upstream, exchange.method, exchange.status, ms / 1000);
    log.exchange(exchange, clientOf(call), ms);
    if (calls.size() === 0) idle?.();
  }

  let idle: (() => void) | null = null;

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

  const guarded = (expects: Expectation) => (request: IncomingMessage, response: ServerResponse) => {
    try {
      handle(request, response, expects);
    } catch (error) {
      log.event('error', 'request handler failed', mistakeOf(error));
      sendRefusal(request, response, refuse('internal_error'));
    }
  };
  // Reading the address here makes Node cache it. The log line of a client that left is written after the socket has
  // closed, when the address could no longer be read.
  server.on('connection', (socket) => void socket.remoteAddress);
  server.on('request', guarded('nothing'));
  const onContinue = guarded('continue');
  const onOther = guarded('something-else');
  server.on('checkContinue', (request, response) =>
    (expectsNothingElse(request) ? onContinue : onOther)(request, response),
  );
  server.on('checkExpectation', onOther);
  // There is deliberately no `upgrade` listener. With one, Node hands over a raw socket for `Upgrade: h2c` too, which
  // Java's HTTP client sends with every first request, as an offer only. Without one, such a request is an ordinary
  // one, and the offer is not forwarded.
  server.on('connect', (_request, socket: Socket) => refuseOn(socket, CONNECT));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseOn(socket, socketFaultOf(error));
  });
  server.on('drop', () => runtime().metrics.refusedConnection('max_connections'));

  function refuseOn(socket: Socket, { reason, type }: SocketFault): void {
    socket.on('error', () => {});
    const current = bySocket.get(socket);
    const speaking =
      current !== undefined && current.some(({ request, response }) => response.headersSent || request.complete);
    // A refusal written now would be read as part of an answer already begun, or as the answer to the request before
    // the faulty one.
    if (!socket.writable || speaking) {
      socket.destroy();
      return;
    }
    const refusal = refuse(type);
    const reading = current?.[0];
    if (reading === undefined) {
      const id = randomUUID();
      const client = canonicalAddress(socket.remoteAddress ?? 'unknown');
      runtime().metrics.refusedConnection(reason);
      heads.refused({ requestId: id, reason, status: refusal.status, client });
      refuseSocket(socket, refusal, { 'X-Request-ID': id });
    } else {
      // A late, malformed or unfinished body belongs to a request that is counted and logged already. Its log line has
      // to name the refusal that the client received. A body that merely ends early means that the client left.
      if (reason !== 'cut_short') {
        reading.response.statusCode = refusal.status;
        reading.exchange.ending = 'refused';
        reading.exchange.refusal = refusal.type;
      }
      refuseSocket(socket, refusal, onEveryAnswer(reading.exchange));
    }
    setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => log.event('error', 'listener failed', { error_code: codeOf(error) }));
  const bound = server.address() as AddressInfo;

  return {
    address: { host: bound.address, port: bound.port },
    inFlight: calls.size,
    some(is) {
      let found = false;
      calls.each((call) => {
        found ||= is(call);
      });
      return found;
    },
    async drain(delayMs, timeoutMs) {
      // From now on every answer closes its connection, so that few connections are left to cut at the end.
      closing = true;
      calls.each(({ response }) => {
        if (!response.headersSent) response.shouldKeepAlive = false;
      });
      await pause(delayMs);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      if (calls.size() > 0) {
        await atMost(
          timeoutMs,
          new Promise<void>((resolve) => {
            idle = resolve;
          }),
        );
        // After a stall of the process timers run before the answers that have arrived meanwhile.
        await new Promise(setImmediate);
      }
      const cut = calls.size();
      calls.each((call) => {
        if (call.onHardStop !== null) call.onHardStop();
        else refuseCall(call, refuse('shutting_down'));
      });
      if (cut > 0) await atMost(LAST_WORDS_MS, closed);
      server.closeAllConnections();
      await closed;
      heads.close();
      return { cut };
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      heads.close();
    },
  };
}

/** Whether the connection closes once its pending answers are sent. */
function ends(socket: Duplex, onSocket: readonly Call[]): boolean {
  if (socket.writableEnded) return true;
  for (const { response } of onSocket) if (!response.shouldKeepAlive) return true;
  return false;
}

/**
 * Waits for `work`, but no longer than `ms`. The timer is cleared afterwards: left running, it would keep the process
 * alive after a quick drain.
 */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
