import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { openExchange } from '../domain/exchange.ts';
import { createRoster, NOT_IN_ROSTER } from '../domain/roster.ts';
import { requestId, traceId } from '../http/identity.ts';
import type { Target } from '../http/target.ts';
import type { Log } from '../observe/log.ts';
import { clientOf, type Call, type Runtime } from './call.ts';

/**
 * The calls under way, all of them and those of each connection. A call is counted and logged once, when its response
 * closes or the connection does.
 */
export interface CallsUnderWay {
  /** Null when the request was pipelined behind one that closes the connection. */
  open(request: IncomingMessage, response: ServerResponse, target: Target | null, runtime: Runtime): Call | null;
  readonly size: () => number;
  readonly each: (visit: (call: Call) => void) => void;
  /** Those of one connection, in their order. */
  on(socket: Duplex): readonly Call[];
  /** Resolves as soon as no call is under way. */
  none(): Promise<void>;
}

const NO_TARGET: Target = { path: '', query: '', name: '', rest: '' };
const NO_CALLS: readonly Call[] = [];

export function createCallsUnderWay(log: Log): CallsUnderWay {
  const calls = createRoster<Call>();
  const bySocket = new WeakMap<Duplex, Call[]>();
  let idle: (() => void) | null = null;

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
    const { response, exchange, runtime } = call;
    if (!calls.remove(call)) return;
    onSocket.splice(onSocket.indexOf(call), 1);
    if (!response.writableFinished && exchange.ending === 'answered') exchange.ending = 'client-left';
    // 499: the client left before there was a status to send.
    exchange.status = response.headersSent || exchange.ending === 'refused' ? response.statusCode : 499;
    call.onClose?.();
    const ms = performance.now() - exchange.startedAt;
    runtime.metrics.exchange(exchange.upstream, exchange.method, exchange.status, ms / 1000);
    log.exchange(exchange, clientOf(call), ms);
    if (calls.size() === 0) idle?.();
  }

  return {
    open(request, response, target, runtime) {
      const { socket } = request;
      const onSocket = callsOn(socket);
      if (ends(socket, onSocket)) return null;
      const exchange = openExchange(requestId(request), traceId(request), request.method!, performance.now());
      const call: Call = {
        request,
        response,
        target: target ?? NO_TARGET,
        exchange,
        runtime,
        client: null,
        onClose: null,
        onHardStop: null,
        index: NOT_IN_ROSTER,
      };
      calls.add(call);
      onSocket.push(call);
      exchange.path = call.target.path;
      response.on('error', () => {});
      response.once('close', () => close(call, onSocket));
      return call;
    },
    size: calls.size,
    each: calls.each,
    on: (socket) => bySocket.get(socket) ?? NO_CALLS,
    none() {
      if (calls.size() === 0) return Promise.resolve();
      return new Promise((resolve) => {
        idle = resolve;
      });
    },
  };
}

/** Whether the connection closes once its pending answers are sent. */
function ends(socket: Duplex, onSocket: readonly Call[]): boolean {
  if (socket.writableEnded) return true;
  for (const { response } of onSocket) if (!response.shouldKeepAlive) return true;
  return false;
}
