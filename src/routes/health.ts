import { sendJson } from '../http/reply.ts';
import type { Route } from './call.ts';

/** Alive is all it says: a liveness check that asks for more gets healthy processes killed. */
export const healthz: Route = ({ response, exchange }) => {
  sendJson(response, 200, { status: 'healthy' }, { 'X-Request-ID': exchange.id });
};

/** Whether traffic should come here. Never asks an upstream or a store: their trouble is not cured by removing us. */
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
