import { countedAs } from '../../domain/address.ts';
import { refuse } from '../../domain/refusal.ts';
import type { LimitCheck } from '../../http/rate-limit.ts';
import { SESSION_COOKIE, SESSION_S, type Entrance } from './access.ts';
import type { HostedCheck } from './hosted-check.ts';
import { NOTHING, type Asked, type Reply, type Route } from './listen.ts';
import { fields, invalid, ok, text } from './replies.ts';

/** The console's page and its login. They are the same for a control plane and for a single instance. */

const SMALL = 16_384;
const MAX_TEXT = 262_144;

/** `views` are the views of the page that have something to show here. */
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
        json: { open: access.enter(request, 'admin').kind === 'admitted', keyed: access.keyed(), views },
      }),
    },
    {
      method: 'POST',
      path: '/v1/session',
      scope: null,
      body: SMALL,
      async answer(asked) {
        const limit = await limitLogin(countedAs(clientOf(asked)));
        if (limit.refusal !== null) return limit.refusal;
        const session = access.openSession(text(fields(asked.body).key));
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

/** `explainer` returns null when scanning is off, and `off` names the setting that turns it off. */
export function playgroundRoute(explainer: () => Pick<HostedCheck, 'explain'> | null, off: string): Route {
  return {
    method: 'POST',
    path: '/v1/playground',
    scope: 'admin',
    body: MAX_TEXT,
    async answer({ body }) {
      const given = fields(body).text;
      if (typeof given !== 'string') return invalid("Field 'text' must be a string");
      const explained = await explainer()?.explain(given);
      if (explained === undefined) return refuse('scanner_error', { message: `${off} is false here` });
      return 'type' in explained ? explained : ok(explained);
    },
  };
}

/** Sets `Secure` when the browser used TLS. A login over plain HTTP to this machine must still work. */
function cookie({ request }: Asked, value: string, seconds: number): string {
  const secure = request.headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
