import { NAME, NAME_RULE } from '../../domain/name.ts';
import { refuse } from '../../domain/refusal.ts';
import { MAX_BUNDLE_BYTES } from '../bundle.ts';
import { parsedJson } from '../parsed-json.ts';
import { analytics, fleetCounts, fleetTable, usage } from './analytics.ts';
import type { Route } from './listen.ts';
import { playgroundRoute } from './page-routes.ts';
import type { Parts } from './parts.ts';
import { done, fields, invalid, number, ok, text, whole } from './replies.ts';

/** The routes for administrators, used with a key or from the console. */

const SMALL = 16_384;
const MAX_POLICY_BYTES = 262_144;

export function adminRoutes(parts: Parts): readonly Route[] {
  const { admin, fleet, database } = parts;
  return [
    {
      method: 'GET',
      path: '/v1/fleet',
      scope: 'admin',
      body: 0,
      async answer({ query }) {
        const after = query.get('after') ?? '';
        if (!/^[0-9a-f]{0,32}$/.test(after)) return invalid('after takes the id of an instance');
        const [counts, instances] = [
          await fleetCounts(database, parts.heartbeatS * 3),
          await fleetTable(database, after, whole(query.get('limit'), 1, 500) ?? 200),
        ];
        const wanted = await Promise.all(instances.map(({ id }) => fleet.find(String(id))));
        return ok({
          version: parts.version,
          heartbeat_s: parts.heartbeatS,
          counts,
          instances: instances.map((row, at) => {
            const orders = wanted[at] == null ? null : fleet.orders(wanted[at]);
            return Object.assign(row, {
              wanted_version: orders?.bundle?.version ?? null,
              wanted_policy: orders?.policyEtag ?? null,
            });
          }),
        });
      },
    },
    {
      method: 'PUT',
      path: '/v1/instances/*/group',
      scope: 'admin',
      body: SMALL,
      answer: async ({ params, body }) => done(await admin.moveInstance(params[0]!, text(fields(body).group))),
    },
    {
      method: 'GET',
      path: '/v1/analytics',
      scope: 'admin',
      body: 0,
      async answer({ query }) {
        const hours = hoursIn(query);
        if (hours === null) return invalid(HOURS_RULE);
        const group = query.get('group');
        if (group !== null && !NAME.test(group)) return invalid(`group takes ${NAME_RULE}`);
        return ok(await analytics(database, { hours, group }));
      },
    },
    {
      method: 'GET',
      path: '/v1/usage',
      scope: 'admin',
      body: 0,
      async answer({ query }) {
        const hours = hoursIn(query);
        return hours === null ? invalid(HOURS_RULE) : ok({ keys: await usage(database, hours) });
      },
    },
    {
      method: 'GET',
      path: '/v1/groups',
      scope: 'admin',
      body: 0,
      answer: async () => ok({ groups: await admin.groups() }),
    },
    {
      method: 'POST',
      path: '/v1/groups',
      scope: 'admin',
      body: SMALL,
      answer: async ({ body }) => done(await admin.createGroup(text(fields(body).name)), 201),
    },
    {
      method: 'PUT',
      path: '/v1/groups/*/policy',
      scope: 'admin',
      body: MAX_POLICY_BYTES,
      async answer({ params, body }) {
        const policy = parsedJson(body);
        return policy === undefined ? refuse('invalid_json') : done(await admin.setPolicy(params[0]!, policy));
      },
    },
    {
      method: 'GET',
      path: '/v1/bundles',
      scope: 'admin',
      body: 0,
      answer: async () => ok({ bundles: await admin.bundles() }),
    },
    {
      method: 'POST',
      path: '/v1/bundles',
      scope: 'admin',
      body: MAX_BUNDLE_BYTES,
      answer: async ({ body }) => done(await admin.addBundle(body), 201),
    },
    {
      method: 'GET',
      path: '/v1/rollouts',
      scope: 'admin',
      body: 0,
      answer: async () => ok({ rollouts: await admin.rollouts() }),
    },
    {
      method: 'POST',
      path: '/v1/rollouts',
      scope: 'admin',
      body: SMALL,
      async answer({ body }) {
        const { group, version, percent } = fields(body);
        return done(await admin.startRollout(text(group), number(version), number(percent)), 201);
      },
    },
    {
      method: 'PATCH',
      path: '/v1/rollouts/*',
      scope: 'admin',
      body: SMALL,
      async answer({ params, body }) {
        const { percent, halt } = fields(body);
        const id = whole(params[0]!, 1, 2_147_483_647) ?? 0;
        if (halt === true) return done(await admin.changeRollout(id, { halt: 'stopped by an administrator' }));
        return done(await admin.changeRollout(id, { percent: number(percent) }));
      },
    },
    { method: 'GET', path: '/v1/keys', scope: 'admin', body: 0, answer: async () => ok({ keys: await admin.keys() }) },
    {
      method: 'POST',
      path: '/v1/keys',
      scope: 'admin',
      body: SMALL,
      async answer({ body }) {
        const { id, scopes } = fields(body);
        const list = Array.isArray(scopes) ? scopes.filter((each) => typeof each === 'string') : [];
        return done(await admin.createKey(text(id), list), 201);
      },
    },
    {
      method: 'DELETE',
      path: '/v1/keys/*',
      scope: 'admin',
      body: 0,
      answer: async ({ params }) => done(await admin.revokeKey(params[0]!)),
    },
    playgroundRoute(() => parts.hosted, 'check.enabled'),
  ];
}

const MOST_HOURS = 24 * 3650;
const HOURS_RULE = `hours takes a whole number from 1 to ${MOST_HOURS}`;

/** A day unless told otherwise; null for what is no number of hours. */
function hoursIn(query: URLSearchParams): number | null {
  return query.has('hours') ? whole(query.get('hours'), 1, MOST_HOURS) : 24;
}
