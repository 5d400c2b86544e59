/**
 * Logging. This is the only module that uses pino. Log fields are typed: a field not declared here cannot be logged.
 */
import { pino, type DestinationStream, type Logger } from 'pino';
import { NO_UPSTREAM, type Exchange } from '../domain/exchange.ts';
import type { LogLevel } from '../domain/log-level.ts';
import type { RefusalType } from '../domain/refusal.ts';
import { createLogSink } from './log-sink.ts';

/**
 * Never contains a header, a body, a match or a query. The strings are fixed texts or bounded names from the
 * configuration.
 */
export interface EventFields {
  readonly address?: string;
  readonly upstreams?: readonly string[];
  readonly signatures?: number;
  readonly threads?: number;
  readonly version?: string;
  readonly node?: string;
  readonly reason?: string;
  readonly file?: string;
  readonly problems?: readonly string[];
  readonly restart_needed?: readonly string[];
  readonly signal?: string;
  readonly exit_code?: number;
  readonly in_flight?: number;
  readonly duration_ms?: number;
  readonly instance_id?: string;
  readonly error_code?: string;
  readonly request_id?: string;
  readonly fault?: string;
  readonly count?: number;
  readonly status?: number;
  readonly client?: string;
}

export interface Log {
  exchange(exchange: Exchange, client: string, durationMs: number): void;
  event(level: Exclude<LogLevel, 'silent'>, message: string, fields?: EventFields): void;
  setLevel(level: LogLevel): void;
  /** Writes the last lines. A log that cannot be written is given up within a second. */
  close(): Promise<void>;
}

/** Long enough to recognize the route, and too short to store a prompt in it. */
const PATH_CHARS = 160;

export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const sink = destination === undefined ? createLogSink() : null;
  const logger: Logger = pino(
    {
      level,
      base: null,
      timestamp: createTimestamp(),
      formatters: { level: (label) => ({ level: label }) },
    },
    sink ?? destination,
  );

  return {
    exchange(exchange, client, durationMs) {
      const level = levelOf(exchange);
      if (!logger.isLevelEnabled(level)) return;
      const { verdict, shadow } = exchange;
      const line = {
        request_id: exchange.id,
        trace_id: exchange.traceId ?? undefined,
        client,
        method: exchange.method,
        upstream: exchange.upstream,
        path: exchange.path.slice(0, PATH_CHARS),
        status: exchange.status,
        ending: exchange.ending,
        refusal: exchange.refusal ?? undefined,
        duration_ms: round(durationMs),
        upstream_ms: exchange.upstreamMs === null ? undefined : round(exchange.upstreamMs),
        upstream_fault: exchange.upstreamFault ?? undefined,
        error_code: exchange.errorCode ?? undefined,
        scan_ms: exchange.scanned || exchange.scanMs > 0 ? round(exchange.scanMs) : undefined,
        scanned: exchange.scanned,
        fail_open: exchange.failOpen ?? undefined,
        action: verdict === null ? undefined : verdict.action,
        category: verdict?.category ?? undefined,
        signature_name: verdict?.signatureName ?? undefined,
        signature_id: verdict?.signatureId ?? undefined,
        confidence: verdict === null || verdict.category === null ? undefined : verdict.confidence,
        shadow_action: shadow?.action,
        shadow_category: shadow?.category ?? undefined,
        request_bytes: exchange.requestBytes,
        response_bytes: exchange.responseBytes,
        retried: exchange.retried || undefined,
      };
      logger[level](line, 'exchange');
    },
    event(level, message, fields = {}) {
      logger[level](fields, message);
    },
    setLevel(level) {
      logger.level = level;
    },
    async close() {
      await sink?.close();
    },
  };
}

/** A verdict, a scan that failed, a fault of an upstream or of guard. What a sender got wrong is no matter for an operator. */
function levelOf(exchange: Exchange): 'debug' | 'info' | 'warn' {
  if (wantsAttention(exchange)) return 'warn';
  return isProbe(exchange) ? 'debug' : 'info';
}

/**
 * An answered question about guard itself: its health, its metrics. Load balancers and scrapers ask every second or two,
 * 86,400 times a day, and calls would not be found among them.
 */
function isProbe({ upstream, method, status, ending }: Exchange): boolean {
  return upstream === NO_UPSTREAM && ending === 'answered' && status < 400 && (method === 'GET' || method === 'HEAD');
}

function wantsAttention({ verdict, failOpen, upstreamFault, refusal }: Exchange): boolean {
  return (
    verdict?.action === 'warn' ||
    verdict?.action === 'block' ||
    failOpen !== null ||
    upstreamFault !== null ||
    (refusal !== null && NOT_THE_SENDERS.has(refusal))
  );
}

const NOT_THE_SENDERS: ReadonlySet<string> = new Set<RefusalType>([
  'scanner_error',
  'scanner_timeout',
  'overloaded',
  'upstream_unreachable',
  'upstream_timeout',
  'upstream_invalid',
  'upstream_closed',
  'response_too_large',
  'internal_error',
]);

/** Writes the same timestamp as pino's isoTime, but caches the part that changes only once per second. */
function createTimestamp(): () => string {
  let second = -1;
  let prefix = '';
  return () => {
    const now = Date.now();
    const ms = now % 1000;
    if (now - ms !== second) {
      second = now - ms;
      prefix = `,"time":"${new Date(now).toISOString().slice(0, -4)}`;
    }
    return `${prefix}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z"`;
  };
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
