import { randomBytes } from 'node:crypto';
import { pageFile } from '../console/page.ts';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/loopback.ts';
import type { Key } from '../http/auth.ts';
import { createClientAddress } from '../http/client-address.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import type { Log } from '../observe/log.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { createEvents } from './client-events.ts';
import { countingLog } from './counting-log.ts';
import { createAccess, NOT_FROM_THE_PAGE, type Access, type Entrance } from './server/access.ts';
import { hostedCheckOn, type HostedCheck } from './server/hosted-check.ts';
import { createDay } from './instance-day.ts';
import { listen, type Route } from './server/listen.ts';
import { pageRoutes, playgroundRoute, sessionRoutes } from './server/page-routes.ts';

/**
 * The console of a single proxy, on its own listener. It shows the same page as a control plane, for this instance
 * and from its memory.
 */

export interface Shown {
  readonly name: string;
  readonly version: string;
  signatures(): number;
  bundleVersion(): number;
  policy(): Config['policy'];
  keys(): readonly Key[];
  scanner(): Scanner | null;
}

export interface InstanceConsole {
  readonly address: { readonly host: string; readonly port: number };
  /** Wraps a log so that each logged exchange is counted as well. */
  counted(log: Log): Log;
  close(): Promise<void>;
}

const VIEWS = ['instance', 'detections', 'playground'] as const;
const SEAL_MS = 60_000;

export async function startInstanceConsole(
  settings: { readonly host: string; readonly port: number },
  shown: Shown,
  onFault: (code: string) => void,
): Promise<InstanceConsole> {
  const access = entranceOf(settings.host, shown.keys);
  const events = createEvents(() => {});
  const day = createDay(events);
  const limit = await createRateLimit({ check: { points: 30, per_s: 60 }, store: 'memory' }, () => {});
  const clientAddress = createClientAddress([]);
  const timer = setInterval(() => day.take(), SEAL_MS);
  timer.unref();
  const routes: readonly Route[] = [
    ...sessionRoutes(access, limit.limit, ({ request }) => clientAddress(request), VIEWS),
    ...pageRoutes(pageFile),
    {
      method: 'GET',
      path: '/v1/fleet',
      scope: 'admin',
      body: 0,
      answer: () => ({ status: 200, json: alone(shown, events.trafficSinceRestart()) }),
    },
    {
      method: 'GET',
      path: '/v1/analytics',
      scope: 'admin',
      body: 0,
      answer: () => ({ status: 200, json: day.sums() }),
    },
    playgroundRoute(() => explainer(shown), 'scanner.enabled'),
  ];
  const listening = await listen({ ...settings, max_connections: 100 }, routes, access, onFault);
  return {
    address: listening.address,
    counted: (log) => countingLog(log, events),
    async close() {
      clearInterval(timer);
      limit.close();
      await listening.close();
    },
  };
}

/**
 * Access to the console. If any key has the scope `admin`, such a key is required. Otherwise a request from this
 * machine is enough, but its Host header must name this machine: otherwise any web page could point a domain of its
 * own to 127.0.0.1 (DNS rebinding). Which rule applies is decided for each request, because a reload may remove the
 * last admin key while the listener stays.
 */
function entranceOf(host: string, keys: () => readonly Key[]): Entrance {
  const access = createAccess(randomBytes(32));
  const names = new Set(['localhost', '127.0.0.1', '[::1]', host]);
  let known: readonly Key[] = [];
  const current = (): Access => {
    if (known !== keys()) access.know((known = keys()));
    return access;
  };
  const keyed = (): boolean => !isLoopback(host) || keys().some(({ scopes }) => scopes.includes('admin'));
  return {
    keyed,
    enter(request, scope) {
      if (keyed()) return current().enter(request, scope);
      const name = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
      const isOwn = request.method === 'GET' || request.headers['x-guard-console'] === '1';
      return names.has(name) && isOwn
        ? { kind: 'admitted', key: 'this-machine' }
        : { kind: 'refused', refusal: NOT_FROM_THE_PAGE };
    },
    openSession: (key) => current().openSession(key),
  };
}

function alone(shown: Shown, { requests, blocked }: { requests: number; blocked: number }): object {
  const row = {
    id: shown.name,
    name: shown.name,
    group_name: 'this instance',
    version: shown.version,
    bundle_version: shown.bundleVersion(),
    signatures: shown.signatures(),
    refused_version: null,
    wanted_version: null,
    policy_etag: null,
    wanted_policy: null,
    requests,
    blocked,
    seen_s: 0,
  };
  return { version: shown.version, counts: { instances: 1, alive: 1, dropped: 0 }, instances: [row] };
}

function explainer({ scanner, policy }: Shown): Pick<HostedCheck, 'explain'> | null {
  const now = scanner();
  return now === null ? null : hostedCheckOn(now, policy);
}
