import type { IncomingMessage, ServerResponse } from 'node:http';
import { NO_UPSTREAM, type Exchange } from '../domain/exchange.ts';
import type { FailurePolicy } from '../domain/failure.ts';
import { mistakeOf, type Mistake } from '../domain/mistake.ts';
import { refuse, type Refusal } from '../domain/refusal.ts';
import type { Policy } from '../domain/policy.ts';
import type { Placed } from '../domain/roster.ts';
import type { Authorize } from '../http/auth.ts';
import type { ClientAddress } from '../http/client.ts';
import type { LimitCheck } from '../http/rate-limit.ts';
import { sendRefusal } from '../http/reply.ts';
import type { Target } from '../http/target.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { DeadlineClock } from '../proxy/deadline.ts';
import type { ResponseSettings } from '../proxy/response-gate.ts';
import type { Upstream } from '../proxy/upstreams.ts';
import type { Scanner } from '../scanner/scanner.ts';

/** Everything that a configuration turns into, resolved. A reload makes a new one and swaps it; a call keeps its own. */
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
  readonly mistake: (what: Mistake) => void;
}

/** One request on its way through a route. */
export interface Call extends Placed {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  readonly exchange: Exchange;
  readonly runtime: Runtime;
  /** Secrets of the request's own instructions, which its answer must not tell. Never logged. */
  secrets?: readonly string[];
  /** Set by whoever has work to give up when the response closes, for whatever reason. */
  onClose: (() => void) | null;
  /** Set while a response streams: ends it in a way that its reader notices. */
  onHardStop: (() => void) | null;
}

export type Route = (call: Call) => void;

/** Our own answer instead of anybody else's; nothing when an answer is already on its way. */
export function refuseCall(call: Call, refusal: Refusal, headers: Readonly<Record<string, string>> = {}): void {
  const { request, response, exchange } = call;
  if (response.headersSent || response.destroyed) return;
  exchange.ending = 'refused';
  exchange.refusal = refusal.type;
  sendRefusal(request, response, refusal, { ...headers, ...onEveryAnswer(exchange) });
}

/** 4.6: two headers are on every answer of a proxied path, and one on every other. */
function onEveryAnswer({ id, upstream, scanned }: Exchange): Readonly<Record<string, string>> {
  return upstream === NO_UPSTREAM
    ? { 'X-Request-ID': id }
    : { 'X-Request-ID': id, 'X-Guard-Scanned': scanned ? 'true' : 'false' };
}

/** What a route does later. A mistake of ours in it ends the call, and neither goes unheard nor takes the process with it. */
export function later(call: Call, work: Promise<void>): void {
  work.catch((error: unknown) => broke(call, error));
}

export function broke(call: Call, error: unknown): void {
  const { response, exchange, runtime } = call;
  runtime.mistake(mistakeOf(error));
  // All of an answer has been given: what broke behind it takes nothing from its reader.
  if (response.writableEnded) return;
  if (response.headersSent) {
    exchange.ending = 'cut';
    response.destroy();
  } else refuseCall(call, refuse('internal_error'));
}
