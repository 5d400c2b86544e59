import type { Action, Category, Verdict } from './verdict.ts';

/** How an exchange ended, for the log. The client sees only the status. */
export type Ending = 'answered' | 'refused' | 'client-left' | 'upstream-broke' | 'cut';

/**
 * One client request and everything that happens to it. It is opened when the request head arrives and closed once,
 * with one log line and one metrics record.
 */
export interface Exchange {
  /** The X-Request-ID that the client sees: ours, until the upstream sends one of its own. */
  id: string;
  readonly traceId: string | null;
  readonly startedAt: number;
  readonly method: string;
  upstream: string;
  /** Without the query string, which may carry credentials. */
  path: string;
  status: number;
  ending: Ending;
  /** The type of the refusal when the proxy answered instead of the upstream. */
  refusal: string | null;
  scanned: boolean;
  /** Why a scan failed whose text went on all the same: the word under which guard_fail_open_total counts it. */
  failOpen: string | null;
  verdict: Verdict | null;
  /** What the shadow policy would have done. */
  shadow: { action: Action; category: Category | null } | null;
  scanMs: number;
  /** From forwarding the request until the head of the upstream's response. Null when it was not forwarded. */
  upstreamMs: number | null;
  /** What the upstream did wrong: the word under which guard_upstream_faults_total counts it. */
  upstreamFault: string | null;
  /** Which error of the system or of TLS stood behind that fault: ECONNREFUSED, CERT_HAS_EXPIRED... A code, never a message. */
  errorCode: string | null;
  requestBytes: number;
  responseBytes: number;
  retried: boolean;
}

/** The `upstream` of an exchange on one of the proxy's own paths. */
export const NO_UPSTREAM = 'none';

export function openExchange(id: string, traceId: string | null, method: string, startedAt: number): Exchange {
  return {
    id,
    traceId,
    startedAt,
    method,
    upstream: NO_UPSTREAM,
    path: '',
    status: 0,
    ending: 'answered',
    refusal: null,
    scanned: false,
    failOpen: null,
    verdict: null,
    shadow: null,
    scanMs: 0,
    upstreamMs: null,
    upstreamFault: null,
    errorCode: null,
    requestBytes: 0,
    responseBytes: 0,
    retried: false,
  };
}
