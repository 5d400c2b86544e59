import type { OwnPath } from '../domain/own-paths.ts';
import { refuse, unknownProvider } from '../domain/refusal.ts';
import { refuseCall, type Call, type Route } from './call.ts';
import { check } from './check.ts';
import { healthz, readyz } from './health.ts';
import { metrics } from './metrics.ts';
import { root } from './root.ts';
import { proxied } from './upstream.ts';

interface Fixed {
  readonly methods: readonly string[];
  readonly route: Route;
}

const GET = ['GET', 'HEAD'] as const;
const POST = ['POST'] as const;

const ROUTES: ReadonlyMap<string, Fixed> = new Map<string, Fixed>(
  Object.entries({
    '/': { methods: GET, route: root },
    '/healthz': { methods: GET, route: healthz },
    '/readyz': { methods: GET, route: readyz },
    '/check': { methods: POST, route: check },
  } satisfies Record<OwnPath, Fixed>),
);

const METRICS: Fixed = { methods: GET, route: metrics };

/**
 * Gives a call to the route of its exact path, else to the upstream whose name the path begins with, else refuses it.
 * `goOn`: the client waits for word that it may send its body.
 */
export function dispatch(call: Call, goOn: boolean): void {
  const { target, response, runtime: now } = call;
  const fixed = target.path === now.metricsPath ? METRICS : ROUTES.get(target.path);
  if (fixed !== undefined) {
    if (!fixed.methods.includes(call.request.method!)) {
      refuseCall(call, refuse('method_not_allowed', { headers: { Allow: fixed.methods.join(', ') } }));
      return;
    }
    if (goOn) response.writeContinue();
    fixed.route(call);
    return;
  }
  const upstream = now.upstreams.get(target.name);
  if (upstream === undefined) {
    refuseCall(call, unknownProvider(target.name));
    return;
  }
  if (goOn) response.writeContinue();
  proxied(call, upstream);
}
