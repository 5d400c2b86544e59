import type { WireName } from '../domain/job.ts';
import { scansRequestsForSecrets, type Policy } from '../domain/policy.ts';
import { createForwarder, type ForwardTarget, type Forwarder } from './forward.ts';

/** A configured LLM API: its address, wire format, timeouts, policy and connections. */
export interface Upstream {
  readonly name: string;
  readonly wire: WireName;
  /** The value of the Host header. */
  readonly host: string;
  /** The base path of the configured address, without a trailing slash. */
  readonly basePath: string;
  readonly idleMs: number;
  readonly totalMs: number;
  readonly policy: Policy;
  readonly shadow: Policy | null;
  /** Whether its requests are searched for secrets. */
  readonly scansSecrets: boolean;
  readonly forwarder: Forwarder;
}

export interface UpstreamSettings {
  readonly url: string;
  readonly wire: WireName;
  readonly timeout_s: number;
  readonly connect_timeout_ms: number;
  readonly queue_timeout_ms: number;
  readonly idle_timeout_s: number;
  readonly total_timeout_s: number;
  readonly max_sockets: number;
  readonly policy: Policy & { readonly shadow: Policy | null };
}

/**
 * `previous` is the upstream of the same name that a configuration reload replaces. Its forwarder, with the open
 * connections, is kept if the connection settings are unchanged.
 */
export function createUpstream(name: string, settings: UpstreamSettings, previous?: Upstream): Upstream {
  const url = new URL(settings.url);
  const target: ForwardTarget = {
    url: url.origin,
    maxSockets: settings.max_sockets,
    queueMs: settings.queue_timeout_ms,
    connectMs: settings.connect_timeout_ms,
    firstByteMs: settings.timeout_s * 1000,
  };
  return {
    name,
    wire: settings.wire,
    host: url.host,
    basePath: url.pathname.replace(/\/+$/, ''),
    idleMs: settings.idle_timeout_s * 1000,
    totalMs: settings.total_timeout_s * 1000,
    policy: settings.policy,
    shadow: settings.policy.shadow,
    scansSecrets: scansRequestsForSecrets(settings.policy, settings.policy.shadow),
    forwarder:
      previous !== undefined && previous.forwarder.isFor(target) ? previous.forwarder : createForwarder(target),
  };
}

/** Appends the client's path and query, unchanged, to the configured base path. */
export function upstreamPath(upstream: Upstream, rest: string, query: string): string {
  const path = endpointPath(upstream, rest);
  return (path === '' ? '/' : path) + query;
}

/**
 * The path that the upstream sees, which says what is asked of it. The client's part alone does not: with
 * `http://127.0.0.1:11434/api` as the address, `/chat` is Ollama's `/api/chat`.
 */
export function endpointPath({ basePath }: Upstream, rest: string): string {
  return basePath + rest;
}
