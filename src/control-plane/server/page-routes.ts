import { refuse } from '../../domain/refusal.ts';
import type { LimitCheck } from '../../http/rate-limit.ts';
import { SESSION_COOKIE, type Entrance } from './access.ts';
import type { Asked, Reply, Route } from './listen.ts';

/** The page and the way into it: the same for a fleet and for a single instance. */

export const NOTHING = refuse('not_found', { message: 'There is nothing at this path' });

const SESSION_S = 8 * 3600;
const SMALL = 16_384;

/** `views`: those of the page that have something to show here. */
export function sessionRoutes(
  access: Entrance,
  limitLogin: LimitCheck,
  clientOf: (asked: Asked) => string,
  views: readonly string[],
): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/session',
      scope: null,
      body: 0,
      answer: ({ request }) => ({
        status: 200,
        json: { open: access.enter(request, 'admin').kind === 'admitted', views },
      }),
    },
    {
      method: 'POST',
      path: '/v1/session',
      scope: null,
      body: SMALL,
      async answer(asked) {
        const limit = await limitLogin(clientOf(asked));
        if (limit.refusal !== null) return limit.refusal;
        const session = access.openSession(keyIn(asked.body));
        if (session === null) return refuse('unauthorized');
        return { status: 200, json: { ok: true }, headers: { 'Set-Cookie': cookie(asked, session, SESSION_S) } };
      },
    },
    {
      method: 'DELETE',
      path: '/v1/session',
      scope: null,
      body: 0,
      answer: (asked) => ({ status: 200, json: { ok: true }, headers: { 'Set-Cookie': cookie(asked, '', 0) } }),
    },
  ];
}

export function pageRoutes(page: (file: string) => Reply | null): readonly Route[] {
  return [
    { method: 'GET', path: '/', scope: null, body: 0, answer: () => page('index.html') ?? NOTHING },
    { method: 'GET', path: '/console/*', scope: null, body: 0, answer: ({ params }) => page(params[0]!) ?? NOTHING },
  ];
}

function keyIn(body: Buffer): string {
  try {
    const { key } = JSON.parse(body.toString('utf8')) as { key?: unknown };
    return typeof key === 'string' ? key : '';
  } catch {
    return '';
  }
}

/** Secure wherever the browser came by TLS; a login over plain HTTP to this machine must still work. */
function cookie({ request }: Asked, value: string, seconds: number): string {
  const secure = request.headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
