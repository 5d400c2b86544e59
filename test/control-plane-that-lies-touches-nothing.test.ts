import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { bundleBy, keyPair } from './helpers/bundle.ts';
import { startGuard } from './helpers/guard.ts';
import { endless, ID, isRegistration, json, telling, orders, serverOf } from './helpers/puppet-plane.ts';
import { startRecorder } from './helpers/recorder.ts';

const author = keyPair();
const KEY = 'guard_a-key-that-must-not-leak';

const digest = 'b'.repeat(64);

const LIES: Readonly<Record<string, RequestListener>> = {
  'never answers': () => {},
  'says half a head and stops': (_request, response) => void response.socket?.write('HTTP/1.1 200 OK\r\nX-'),
  'resets every connection': (_request, response) => void response.socket?.resetAndDestroy(),
  'answers with a page': (_request, response) => json(response, '<html>welcome</html>'),
  'answers without an end': endless,
  'knows no key': (_request, response) => json(response, { error: {} }, 401),
  'forbids everything': (_request, response) => json(response, { error: {} }, 403),
  'is broken': (_request, response) => json(response, { error: {} }, 500),
  'gives an id that is a path': (request, response) =>
    json(response, { instance_id: '../../v1/keys' }, isRegistration(request) ? 201 : 200),
  'gives an id and forgets it': (request, response) =>
    json(response, { instance_id: ID }, isRegistration(request) ? 201 : 404),
  'orders nonsense': telling({ heartbeat_s: -5, bundle: 'yes', policy_etag: 7 }),
  'orders a deep document': telling(`${'['.repeat(30_000)}${']'.repeat(30_000)}`),
  'wants a heartbeat without a pause': telling(orders({ heartbeat_s: 0 })),
  'sends a bundle of rubbish': telling(orders({ bundle: { version: 1, digest } }), (_request, response) =>
    response.end('rubbish'),
  ),
  'sends a bundle without an end': telling(orders({ bundle: { version: 1, digest } }), endless),
  'sends a bundle that is a bomb': telling(orders({ bundle: { version: 1, digest } }), (_request, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' });
    response.end(gzipSync(Buffer.alloc(64 * 1_048_576)));
  }),
  'sends a bundle of somebody else': telling(orders({ bundle: { version: 1, digest } }), (_request, response) =>
    response.end(bundleBy(keyPair())),
  ),
  'sends another bundle than it named': telling(orders({ bundle: { version: 1, digest } }), (_request, response) =>
    response.end(bundleBy(author)),
  ),
  'sends a policy that is none': telling(orders({ policy_etag: 'c'.repeat(32) }), (_request, response) =>
    json(response, { default_action: 'explode', __proto__: { polluted: true } }),
  ),
  'takes no events': telling(orders(), (_request, response) => json(response, {}, 503)),
};

for (const [what, listener] of Object.entries(LIES)) {
  test(`a control plane that ${what} is no matter of the traffic`, async (t) => {
    const { url, seen } = await serverOf(t, listener);
    const upstream = await startRecorder({ body: '{}' });
    t.after(() => upstream.close());
    const guard = await startGuard({
      upstreams: { 'llm-a': { url: upstream.url } },
      config: {
        scanner: { enabled: false },
        control_plane: { enabled: true, url, api_key: KEY, heartbeat_s: 1, public_keys: [author.publicKey] },
      },
    });
    t.after(() => guard.close());
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 10; round += 1) {
      const response = await fetch(`${guard.url}/llm-a/v1/models`, { signal: AbortSignal.timeout(2000) });
      assert.equal(response.status, 200);
      await response.arrayBuffer();
      assert.equal((await fetch(`${guard.url}/readyz`)).status === 503, false, 'readiness asks nobody');
      await sleep(120);
    }
    assert.ok(seen.length > 0, 'it was asked');
    assert.ok(seen.length < 25, `asked ${seen.length} times in a second and a half`);
    assert.ok(process.memoryUsage().rss - before < 96 * 1_048_576, 'it costs no memory');
    const lines = guard.logs().join('');
    assert.ok(!lines.includes(KEY) && !lines.includes('"level":"fatal"'), lines.slice(-2000));
    assert.match(await guard.metrics(), /^guard_signature_bundle_version 0$/m);
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
    const since = Date.now();
    await guard.close();
    assert.ok(Date.now() - since < 2000, 'it leaves without waiting for an answer');
  });
}

test('a redirect is followed nowhere: the key stays between the two', async (t) => {
  const other = await serverOf(t, (_request, response) => json(response, { instance_id: ID }, 201));
  const { url, seen } = await serverOf(t, (request, response) => {
    response.writeHead(307, { Location: `${other.url}${request.url}` });
    response.end();
  });
  const guard = await startGuard({
    config: { scanner: { enabled: false }, control_plane: { enabled: true, url, api_key: KEY } },
  });
  t.after(() => guard.close());
  await sleep(1200);
  assert.ok(seen.length > 0);
  assert.equal(other.seen.length, 0);
});
