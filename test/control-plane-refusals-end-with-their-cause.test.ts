import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBundle } from '../src/control-plane/bundle.ts';
import { NOTHING_KEPT } from '../src/control-plane/client-kept.ts';
import { bundleBy, keyPair, type BundleOptions } from './helpers/bundle.ts';
import { KEYS, startPlane } from './helpers/control-plane.ts';
import { startMember, type Member, type MemberOptions } from './helpers/fleet.ts';
import { PATIENCE_MS } from './helpers/patience.ts';
import { endless, ID, json, orders, serverOf, telling } from './helpers/puppet-plane.ts';

const author = keyPair();
const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const memberOf = (t: TestContext, url: string, more: Partial<MemberOptions> = {}): Member => {
  const member = startMember({ url, key: KEYS.fleet, name: 'm', group: 'g', trusted: [author.trusted], ...more });
  t.after(() => member.client.close());
  return member;
};
const eventually = async (what: string, holds: () => boolean, story: readonly string[]): Promise<void> => {
  for (const end = Date.now() + PATIENCE_MS; !holds(); await sleep(25))
    if (Date.now() > end) assert.fail(`not in time: ${what}; it told ${story.join(', ')}`);
};
/** Orders this one bundle, and hands it out. */
const offering = (bytes: Buffer): RequestListener =>
  telling(orders({ bundle: { version: 1, digest: digestOf(bytes) } }), (_request, response) => response.end(bytes));
const isDownload = ({ url }: IncomingMessage): boolean => url!.endsWith('/bundle');

const UNTIMELY: readonly (readonly [fault: string, cure: string, ms: number, bundle: BundleOptions])[] = [
  ['not-yet', 'was behind', 3_600_000, { created: Date.now() + 3_600_000 }],
  ['expired', 'was ahead', -3_600_000, { created: Date.now() - 7_200_000, expires: Date.now() - 60_000 }],
];
for (const [fault, wrong, ms, options] of UNTIMELY) {
  test(`a clock that ${wrong} is set right: what was ${fault} is taken then, and was neither said nor fetched twice`, async (t) => {
    const { url, seen } = await serverOf(t, offering(bundleBy(author, options)));
    const { story } = memberOf(t, url);
    await eventually('refused', () => story.length === 2, story);
    await sleep(2500);
    assert.deepEqual(story, ['connected', `refused 1 ${fault}`]);
    assert.equal(seen.filter(isDownload).length, 1);
    const now = Date.now.bind(Date);
    t.mock.method(Date, 'now', () => now() + ms);
    for (let turn = 0; turn < 200 && story.length === 2; turn += 1) await sleep(25);
    assert.deepEqual(story, ['connected', `refused 1 ${fault}`, 'taken 1']);
  });
}

test('shipped signatures that do not hold any more are refused once, and the refusal is reported', async (t) => {
  const bytes = bundleBy(author);
  const opened = openBundle(bytes, { trusted: [author.trusted], now: null, engine: '0.1.0', floor: 0, held: null });
  assert.ok(opened.kind === 'opened');
  const beats: Record<string, unknown>[] = [];
  const back = telling(orders({ bundle: { version: 0, digest: '' } }));
  const { url } = await serverOf(t, (request, response) => {
    if (request.url!.endsWith('/heartbeat'))
      request.on('data', (body: Buffer) => beats.push(JSON.parse(body.toString()) as Record<string, unknown>));
    back(request, response);
  });
  const { story } = memberOf(t, url, {
    kept: { ...NOTHING_KEPT, bundle: opened.bundle },
    shippedHold: () => false,
  });
  await eventually('reported', () => beats.length === 3, story);
  assert.deepEqual(story, ['connected', 'refused 0 unproven']);
  for (const { refused } of beats.slice(1)) assert.deepEqual(refused, { version: 0, fault: 'unproven' });
});

test('a bundle without an end is refused by its size', async (t) => {
  const wanted = { version: 1, digest: 'b'.repeat(64) };
  const { url } = await serverOf(t, telling(orders({ bundle: wanted }), endless));
  const { story } = memberOf(t, url);
  await eventually('refused', () => story.length === 2, story);
  assert.deepEqual(story, ['connected', 'refused 1 oversize']);
});

test('an instance that is forgotten registers again, and no other 404 makes it do so', async (t) => {
  const plane = await startPlane();
  t.after(() => plane.close());
  const { story } = memberOf(t, plane.url, { kept: { ...NOTHING_KEPT, instanceId: ID } });
  await eventually('registered', () => story.includes('connected'), story);

  // What an ingress says whose backend is being replaced, and what a server says that is not a control plane.
  for (const said of [
    '404 page not found',
    { error: { type: 'not_found', message: 'Unknown instance, said somebody' } },
  ]) {
    const { url, seen } = await serverOf(t, (_request, response) => json(response, said, 404));
    const other = memberOf(t, url, { kept: { ...NOTHING_KEPT, instanceId: ID } });
    await eventually('asked twice', () => seen.length > 1, other.story);
    assert.ok(!seen.some((request) => request.url === '/v1/instances'));
    assert.deepEqual(other.story, ['lost: status 404']);
  }
});

test('an instance that belongs to another key registers again, and no other 403 makes it do so', async (t) => {
  const plane = await startPlane();
  t.after(() => plane.close());
  const foreign = await plane.call('POST', '/v1/instances', { key: KEYS.other, json: { name: 'x', version: '1' } });
  const id = foreign.json.instance_id as string;
  const refused = await plane.call('GET', `/v1/instances/${id}/policy`, { key: KEYS.fleet });
  assert.deepEqual([refused.status, refused.json.error.code], [403, 'foreign_instance']);
  const { story } = memberOf(t, plane.url, { kept: { ...NOTHING_KEPT, instanceId: id } });
  await eventually('registered', () => story.includes('connected'), story);

  const scope = { error: { type: 'forbidden', message: 'Not the key of this instance, said somebody' } };
  const { url, seen } = await serverOf(t, (_request, response) => json(response, scope, 403));
  const other = memberOf(t, url, { kept: { ...NOTHING_KEPT, instanceId: ID } });
  await eventually('asked twice', () => seen.length > 1, other.story);
  assert.ok(!seen.some((request) => request.url === '/v1/instances'));
});
