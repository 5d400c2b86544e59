import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { canonicalAddress } from './domain/address.ts';
import { codeOf, mistakeOf } from './domain/mistake.ts';
import { refuse } from './domain/refusal.ts';
import { announcedTooLarge } from './http/body.ts';
import { createListener, listen, type ListenerSettings } from './http/listener.ts';
import { refuseSocket, sendRefusal } from './http/reply.ts';
import { CONNECT, socketFaultOf, type SocketFault } from './http/socket-fault.ts';
import { parseTarget } from './http/target.ts';
import { expectsNothingElse, refusalOfUnroutable, type Expectation } from './http/unroutable.ts';
import { createHeadLog } from './observe/head-log.ts';
import type { Log } from './observe/log.ts';
import { endAfterOwnFault, onEveryAnswer, refuseCall, type Call, type Runtime } from './routes/call.ts';
import { dispatch } from './routes/dispatch.ts';
import { createCallsUnderWay } from './routes/under-way.ts';

/**
 * The HTTP server. A request that Node's parser accepted is validated once more, and then given to its route. Calls under
 * way are waited for at the end.
 */

export interface ServerSettings extends ListenerSettings {
  readonly host: string;
  readonly port: number;
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
  const calls = createCallsUnderWay(log);
  const heads = createHeadLog(log);
  let closing = false;

  function handle(request: IncomingMessage, response: ServerResponse, expects: Expectation): void {
    const now = runtime();
    const target = parseTarget(request.url);
    const call = calls.open(request, response, target, now);
    if (call === null) {
      // It can never be answered, so it must not be acted on.
      request.resume();
      return;
    }
    if (closing) response.shouldKeepAlive = false;
    try {
      const refusal = refusalOfUnroutable(request, target, expects, calls.on(request.socket).length);
      if (refusal !== null) refuseCall(call, refusal);
      else dispatch(call, expects === 'continue' && !announcedTooLarge(request, now.maxRequestBytes));
    } catch (error) {
      endAfterOwnFault(call, error);
    }
  }

  const server = createListener(settings);
  const guarded = (expects: Expectation) => (request: IncomingMessage, response: ServerResponse) => {
    try {
      handle(request, response, expects);
    } catch (error) {
      log.event('error', 'request handler failed', mistakeOf(error));
      sendRefusal(request, response, refuse('internal_error'));
    }
  };
  server.on('request', guarded('nothing'));
  const onContinue = guarded('continue');
  const onOther = guarded('something-else');
  server.on('checkContinue', (request, response) =>
    (expectsNothingElse(request) ? onContinue : onOther)(request, response),
  );
  server.on('checkExpectation', onOther);
  server.on('connect', (_request, socket: Socket) => refuseOn(socket, CONNECT));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseOn(socket, socketFaultOf(error));
  });
  server.on('drop', () => runtime().metrics.refusedConnection('max_connections'));

  function refuseOn(socket: Socket, { reason, type }: SocketFault): void {
    socket.on('error', () => {});
    const current = calls.on(socket);
    const speaking = current.some(({ request, response }) => response.headersSent || request.complete);
    // A refusal written now would be read as part of an answer already begun, or as the answer to the request before
    // the faulty one.
    if (!socket.writable || speaking) {
      socket.destroy();
      return;
    }
    const refusal = refuse(type);
    const reading = current[0];
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

  await listen(server, settings.port, settings.host);
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
        await atMost(timeoutMs, calls.none());
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
