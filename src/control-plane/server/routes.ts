import { refuse } from '../../domain/refusal.ts';
import { checkAnswer } from '../../domain/check.ts';
import { parsedJson } from '../parsed-json.ts';
import { FOREIGN_INSTANCE, MAX_BATCH_BYTES, readHeartbeat, readRegistration, UNKNOWN_INSTANCE } from '../protocol.ts';
import { adminRoutes } from './admin-routes.ts';
import { batchKey, unpackBatch } from './event-batch.ts';
import type { Fleet, Instance } from './fleet.ts';
import { NOTHING, type Asked, type Reply, type Route } from './listen.ts';
import { pageRoutes, sessionRoutes } from './page-routes.ts';
import type { Parts } from './parts.ts';
import { invalid, ok } from './replies.ts';
import { createTurns } from './turns.ts';

/** All routes of the control plane. docs/control-plane.md and openapi.json describe the same ones. */

/** The views of the console, in the order of display. */
const VIEWS = ['fleet', 'detections', 'rollout', 'playground', 'access'] as const;
const SMALL = 16_384;
/** Batches that are unpacked at the same time. Each may take two megabytes before it is known to be valid. */
const MOST_UNPACKING = 32;
const MOST_WAITING = 500;

export function routesOf(parts: Parts): readonly Route[] {
  const { access, fleet, database } = parts;
  const inTurn = createTurns(MOST_UNPACKING, MOST_WAITING);
  return [
    { method: 'GET', path: '/healthz', scope: null, body: 0, answer: () => ok({ status: 'healthy' }) },
    {
      method: 'GET',
      path: '/readyz',
      scope: null,
      body: 0,
      async answer() {
        const away = await database.query('select 1').then(
          () => false,
          () => true,
        );
        return {
          status: away ? 503 : 200,
          json: { status: away ? 'not_ready' : 'ready', storage: away ? 'away' : 'ok' },
        };
      },
    },
    {
      method: 'GET',
      path: '/openapi.json',
      scope: null,
      body: 0,
      answer: () => ({ status: 200, bytes: parts.openapi, headers: { 'Content-Type': 'application/json' } }),
    },

    // --- instances: a key with the scope fleet -----------------------------------------------------------------------
    {
      method: 'POST',
      path: '/v1/instances',
      scope: 'fleet',
      body: SMALL,
      async answer({ body, key }) {
        const registration = readRegistration(parsedJson(body));
        if (registration === null) return invalid('The body is no registration');
        const instance = await fleet.register(key, registration);
        if (instance === 'full') return refuse('overloaded', { message: 'The fleet is full' });
        return { status: 201, json: { instance_id: instance.id, group: instance.group, ...ordersOf(fleet, instance) } };
      },
    },
    {
      method: 'POST',
      path: '/v1/instances/*/heartbeat',
      scope: 'fleet',
      body: SMALL,
      answer: (asked) =>
        ofInstance(fleet, asked, (instance) => {
          const heartbeat = readHeartbeat(parsedJson(asked.body));
          if (heartbeat === null) return invalid('The body is no heartbeat');
          fleet.beat(instance, heartbeat);
          return ok(ordersOf(fleet, instance));
        }),
    },
    {
      method: 'GET',
      path: '/v1/instances/*/bundle',
      scope: 'fleet',
      body: 0,
      answer: (asked) =>
        ofInstance(fleet, asked, async (instance) => {
          const version = fleet.orders(instance).bundle?.version ?? 0;
          const bundle = version === 0 ? null : await fleet.bundleBytes(version);
          if (bundle === null) return { status: 204, bytes: null };
          return tagged(asked, bundle.digest, bundle.bytes, 'application/octet-stream');
        }),
    },
    {
      method: 'GET',
      path: '/v1/instances/*/policy',
      scope: 'fleet',
      body: 0,
      answer: (asked) =>
        ofInstance(fleet, asked, (instance) => {
          const policy = fleet.policyOf(instance.group);
          if (policy === null) return { status: 204, bytes: null };
          return tagged(asked, policy.etag, Buffer.from(policy.text), 'application/json');
        }),
    },
    {
      method: 'POST',
      path: '/v1/instances/*/events',
      scope: 'fleet',
      body: MAX_BATCH_BYTES,
      answer: (asked) =>
        ofInstance(fleet, asked, async (instance) => {
          const key = batchKey(asked.request.headers['idempotency-key']);
          if (key === null) return invalid('Idempotency-Key takes 16 to 64 letters, digits and dashes');
          const unpacked = await inTurn(() => unpackBatch(asked.body, asked.request.headers['content-encoding'] ?? ''));
          if (unpacked === null) return refuse('overloaded');
          if (unpacked.kind === 'refused') return unpacked.refusal;
          // The key is prefixed with the instance's id, so that no instance can use up the keys of another.
          const fresh = await parts.events.store(`${instance.id}:${key}`, instance.group, unpacked.batch);
          if (fresh === 'full') return refuse('overloaded');
          return { status: 202, json: { accepted: true, duplicate: !fresh } };
        }),
    },

    // --- the hosted check: a key with the scope check ----------------------------------------------------------------
    {
      method: 'POST',
      path: '/check',
      scope: 'check',
      body: parts.maxCheckBytes,
      answer: (asked) => check(parts, asked),
    },

    ...sessionRoutes(access, parts.limitLogin, parts.clientOf, VIEWS),
    ...adminRoutes(parts),
    ...pageRoutes(parts.page),
  ];
}

async function check(parts: Parts, { key, body, request }: Asked): Promise<Reply> {
  if (parts.hosted === null) return NOTHING;
  const limit = await parts.limitCheck(key);
  if (limit.refusal !== null) return limit.refusal;
  const judged = await parts.hosted.check(
    body,
    request.headers['content-type'] ?? '',
    request.headers['content-encoding'] ?? '',
    parts.maxCheckBytes,
  );
  if (judged.kind === 'refused') return judged.refusal;
  for (const { action } of judged.verdicts) parts.usage.count(key, action === 'block');
  return { status: 200, text: checkAnswer(judged.verdicts, judged.isList), headers: limit.headers };
}

/**
 * Finds the instance in the path. It belongs to the key that registered it: no other key can report for it or read
 * its orders.
 */
async function ofInstance(
  fleet: Fleet,
  { params, key }: Asked,
  answer: (instance: Instance) => Promise<Reply> | Reply,
): Promise<Reply> {
  const [id] = params;
  const instance = /^[0-9a-f]{32}$/.test(id!) ? await fleet.find(id!) : null;
  if (instance === null)
    return refuse('not_found', { code: UNKNOWN_INSTANCE, message: 'Unknown instance: register first' });
  return instance.keyId === key
    ? await answer(instance)
    : refuse('forbidden', { code: FOREIGN_INSTANCE, message: 'Not the key of this instance' });
}

function ordersOf(fleet: Fleet, instance: Instance): object {
  const { heartbeatS, bundle, policyEtag } = fleet.orders(instance);
  return { heartbeat_s: heartbeatS, bundle, policy_etag: policyEtag };
}

function tagged({ request }: Asked, etag: string, bytes: Buffer, type: string): Reply {
  const headers = { ETag: `"${etag}"`, 'Cache-Control': 'private, no-cache' };
  if (request.headers['if-none-match'] === `"${etag}"`) return { status: 304, bytes: null, headers };
  return { status: 200, bytes, headers: { ...headers, 'Content-Type': type } };
}
