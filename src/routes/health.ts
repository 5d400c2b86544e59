import { sendJson } from '../http/reply.ts';
import type { Route } from './call.ts';

/** Liveness: only says that the process responds. A liveness check that tests more gets healthy processes killed. */
export const healthz: Route = ({ response, exchange }) => {
  sendJson(response, 200, { status: 'healthy' }, { 'X-Request-ID': exchange.id });
};

/**
 * Readiness: whether this instance should get traffic. Upstreams and stores are not checked, because removing an
 * instance does not solve their problems.
 */
export const readyz: Route = ({ response, exchange, runtime }) => {
  const health = runtime.scanner?.health() ?? { scanner: null, signatures: null };
  const checks = {
    scanner: runtime.draining() ? 'draining' : (health.scanner ?? 'ok'),
    signatures: health.signatures ?? 'ok',
  };
  const ready = checks.scanner === 'ok' && checks.signatures === 'ok';
  const body = { status: ready ? 'ready' : 'not_ready', checks };
  sendJson(response, ready ? 200 : 503, body, { 'X-Request-ID': exchange.id });
};
