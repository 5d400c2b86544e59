import type { IncomingMessage, ServerResponse } from 'node:http';
import { NO_UPSTREAM, type Exchange } from '../domain/exchange.ts';
import type { FailurePolicy } from '../domain/failure.ts';
import { mistakeOf, type Mistake } from '../domain/mistake.ts';
import { refuse, type Refusal } from '../domain/refusal.ts';
import type { Policy } from '../domain/policy.ts';
import type { RosterMember } from '../domain/roster.ts';
import type { Authorize } from '../http/auth.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { LimitCheck } from '../http/rate-limit.ts';
import { sendRefusal } from '../http/reply.ts';
import type { Target } from '../http/target.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { DeadlineClock } from '../proxy/deadline.ts';
import type { ResponseSettings } from '../proxy/response-gate.ts';
import type { Upstream } from '../proxy/upstreams.ts';
import type { Scanner } from '../scanner/scanner.ts';

/**
 * Everything that the routes need, built from the configuration. A reload builds a new runtime and swaps it in. Calls
 * that are already running keep the one they started with.
 */
export interface Runtime {
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly policy: Policy;
  readonly shadow: Policy | null;
  readonly failure: FailurePolicy;
  /** Null when scanning is switched off. */
  readonly scanner: Scanner | null;
  /** Null when responses are not scanned. */
  readonly response: ResponseSettings | null;
  readonly metrics: Metrics;
  readonly clock: DeadlineClock;
  readonly clientAddress: ClientAddress;
  readonly authorize: Authorize;
  readonly limitCheck: LimitCheck;
  readonly maxRequestBytes: number;
  readonly writeStallMs: number;
  readonly metricsPath: string | null;
  readonly version: string;
  readonly draining: () => boolean;
  readonly reportOwnFault: (what: Mistake) => void;
}

/** One request on its way through a route. */
export interface Call extends RosterMember {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  readonly exchange: Exchange;
  readonly runtime: Runtime;
  /** Secrets found in the request's own instructions, which its response must not contain. Never logged. */
  secrets?: readonly string[];
  /** Its address, once something has asked for it: see `clientOf`. */
  client: string | null;
  /** Set by a route: called when the response closes, for whatever reason, to clean up and to abort unfinished work. */
  onClose: (() => void) | null;
  /** Set by a route with a call to an upstream: ends the response at a shutdown, in a way that the client notices. */
  onHardStop: (() => void) | null;
}

export type Route = (call: Call) => void;

/** Answers the call with a refusal. Does nothing when a response has already been started. */
export function refuseCall(call: Call, refusal: Refusal, headers: Readonly<Record<string, string>> = {}): void {
  const { request, response, exchange } = call;
  if (response.headersSent || response.destroyed) return;
  exchange.ending = 'refused';
  exchange.refusal = refusal.type;
  const named = BEDROCK.test(exchange.path) ? { 'x-amzn-errortype': refusal.type } : {};
  sendRefusal(request, response, refusal, { ...headers, ...named, ...onEveryAnswer(exchange) });
}

/** The SDKs of AWS call an error by what this header says, and read nothing of our envelope. */
const BEDROCK = /\/model\/[^/]+\/(?:converse|invoke|count-tokens)/;

/** Every response of a proxied path has two headers of guard, every other response has one. */
export function onEveryAnswer({ id, upstream, scanned }: Exchange): Readonly<Record<string, string>> {
  return upstream === NO_UPSTREAM
    ? { 'X-Request-ID': id }
    : { 'X-Request-ID': id, 'X-Guard-Scanned': scanned ? 'true' : 'false' };
}

/** The client's address. It is read once for a call: behind trusted proxies that takes microseconds. */
export function clientOf(call: Call): string {
  call.client ??= call.runtime.clientAddress(call.request);
  return call.client;
}

/**
 * Whether nobody waits for an answer to the call any more. A client that was refused while it sent its body has heard the
 * last word, though the rest of that body may still arrive.
 */
export function isOver({ response, exchange }: Call): boolean {
  return response.destroyed || exchange.ending === 'refused';
}

/** Whether the client of a call still waits for its answer. */
export function isWaiting(call: Call): () => boolean {
  return () => !isOver(call);
}

/**
 * Registers asynchronous work of a route. If it rejects because of a bug, the bug is reported and the call is ended.
 * Otherwise the unhandled rejection would end the process.
 */
export function later(call: Call, work: Promise<void>): void {
  work.catch((error: unknown) => endAfterOwnFault(call, error));
}

/**
 * Runs what an event calls for a call. A bug in it ends this call; thrown out of the event it would end the process, and
 * whoever found out how to cause it could end one instance after the other.
 */
export function guarded(call: Call, work: () => void): void {
  try {
    work();
  } catch (error) {
    endAfterOwnFault(call, error);
  }
}

/** Ends a call after a bug in guard: reports the bug, then refuses the call or breaks its response off. */
export function endAfterOwnFault(call: Call, error: unknown): void {
  const { response, exchange, runtime } = call;
  runtime.reportOwnFault(mistakeOf(error));
  // The response has been written completely, so the client need not notice an error after it.
  if (response.writableEnded) return;
  if (response.headersSent) {
    exchange.ending = 'cut';
    // A body that ends by closing the connection is told from a whole one by a reset alone.
    if (response.chunkedEncoding || response.socket === null) response.destroy();
    else response.socket.resetAndDestroy();
  } else refuseCall(call, refuse('internal_error'));
}
