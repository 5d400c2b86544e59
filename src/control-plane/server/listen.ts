import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { joined } from '../../domain/bytes.ts';
import { codeOf } from '../../domain/mistake.ts';
import { refuse, type Refusal } from '../../domain/refusal.ts';
import type { FleetScope } from '../../domain/scope.ts';
import { readBody } from '../../http/body.ts';
import { sendRefusal } from '../../http/reply.ts';
import { headFault } from '../../http/head-fault.ts';
import { parseTarget } from '../../http/target.ts';
import type { Entrance } from './access.ts';
import { isStorageAway } from './open-database.ts';

/**
 * The HTTP listener of the control plane. It finds the route, checks the key and its scope, reads a bounded body, and
 * answers, in this order.
 */

export interface Asked {
  readonly request: IncomingMessage;
  /** The id of the key that was used; empty for routes that need none. */
  readonly key: string;
  /** The path segments that matched each `*`. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

export type Reply =
  | { readonly status: number; readonly json: unknown; readonly headers?: Headers }
  /** JSON that is written already. */
  | { readonly status: number; readonly text: string; readonly headers?: Headers }
  | { readonly status: number; readonly bytes: Buffer | null; readonly headers?: Headers }
  | Refusal;
type Headers = Readonly<Record<string, string>>;

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A pattern such as `/v1/keys/*`. `*` matches one segment. */
  readonly path: string;
  readonly scope: FleetScope | null;
  /** The largest body in bytes; 0 for routes without one. */
  readonly body: number;
  readonly answer: (asked: Asked) => Promise<Reply> | Reply;
}

export interface Listening {
  readonly address: { readonly host: string; readonly port: number };
  close(): Promise<void>;
}

export interface ListenSettings {
  readonly host: string;
  readonly port: number;
  readonly max_connections: number;
}

/** The answer for unknown paths. */
export const NOTHING = refuse('not_found', { message: 'There is nothing at this path' });
const STORAGE_AWAY = refuse('overloaded', {
  message: 'The control plane cannot reach its storage',
  headers: { 'Retry-After': '5' },
});
/** Headers of every answer, including those that are not pages. */
const SAFE: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export async function listen(
  settings: ListenSettings,
  routes: readonly Route[],
  access: Entrance,
  onFault: (code: string) => void,
): Promise<Listening> {
  const byShape = routes.map((route) => ({ route, shape: route.path.split('/') }));

  function handle(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => {});
    const target = headFault(request) === null ? parseTarget(request.url) : null;
    if (target === null) {
      sendRefusal(request, response, refuse('bad_request'), SAFE);
      return;
    }
    const steps = target.path.split('/');
    const here = byShape.filter(({ shape }) => fits(shape, steps));
    const found = here.find(({ route }) => route.method === (request.method === 'HEAD' ? 'GET' : request.method));
    if (found === undefined) {
      const Allow = [...new Set(here.map(({ route }) => route.method))].join(', ');
      const refusal = here.length === 0 ? NOTHING : refuse('method_not_allowed', { headers: { Allow } });
      sendRefusal(request, response, refusal, SAFE);
      return;
    }
    const { route, shape } = found;
    let key = '';
    if (route.scope !== null) {
      const entry = access.enter(request, route.scope);
      if (entry.kind === 'refused') {
        sendRefusal(request, response, entry.refusal, SAFE);
        return;
      }
      ({ key } = entry);
    }
    readBody(request, route.body, (body) => {
      if (body.kind === 'client-left') return;
      if (body.kind === 'refused') {
        sendRefusal(request, response, refuse(body.type), SAFE);
        return;
      }
      const params = shape.flatMap((step, at) => (step === '*' ? [steps[at]!] : []));
      const asked: Asked = {
        request,
        key,
        params,
        query: new URLSearchParams(target.query),
        body: body.bytes === null ? EMPTY : joined(body.bytes),
      };
      void respond(route, asked, response);
    });
  }

  async function respond(route: Route, asked: Asked, response: ServerResponse): Promise<void> {
    const reply = await answered(route, asked);
    try {
      send(asked.request, response, reply);
    } catch (error) {
      onFault(codeOf(error));
      response.destroy();
    }
  }

  async function answered(route: Route, asked: Asked): Promise<Reply> {
    try {
      return await route.answer(asked);
    } catch (error) {
      onFault(codeOf(error));
      return isStorageAway(error) ? STORAGE_AWAY : refuse('internal_error');
    }
  }

  const server = http.createServer({
    keepAliveTimeout: 72_000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: 16_384,
    requireHostHeader: false,
  });
  server.maxConnections = settings.max_connections;
  server.on('request', (request, response) => {
    try {
      handle(request, response);
    } catch (error) {
      onFault(error instanceof Error ? error.name : 'unknown');
      sendRefusal(request, response, refuse('internal_error'), SAFE);
    }
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', (error) => onFault((error as NodeJS.ErrnoException).code ?? error.name));
  const bound = server.address() as AddressInfo;
  return {
    address: { host: bound.address, port: bound.port },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS).unref();
      }),
  };
}

const EMPTY = Buffer.alloc(0);
const LAST_WORDS_MS = 1000;

function fits(shape: readonly string[], steps: readonly string[]): boolean {
  return steps.length === shape.length && shape.every((step, at) => step === '*' || step === steps[at]);
}

function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.destroyed || response.headersSent) return;
  if ('type' in reply) {
    sendRefusal(request, response, reply, SAFE);
    return;
  }
  const text = 'json' in reply ? JSON.stringify(reply.json) : 'text' in reply ? reply.text : null;
  const bytes = 'bytes' in reply ? reply.bytes : Buffer.from(text!);
  const type: Headers = text === null ? {} : { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  const length: Headers = bytes === null ? {} : { 'Content-Length': String(bytes.length) };
  response.writeHead(reply.status, { ...SAFE, ...type, ...reply.headers, ...length });
  response.end(request.method === 'HEAD' || bytes === null ? undefined : bytes);
}
