import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { bundleBy, keyPair } from './helpers/bundle.ts';
import { startGuard } from './helpers/guard.ts';
import { startRecorder } from './helpers/recorder.ts';

const author = keyPair();
const KEY = 'guard_a-key-that-must-not-leak';
const ID = 'a'.repeat(32);

async function serverOf(t: TestContext, listener: RequestListener): Promise<{ url: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    response.on('error', () => {});
    request.resume();
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
};
const isRegistration = ({ url }: IncomingMessage): boolean => url === '/v1/instances';
/** Registers honestly, then answers heartbeats as told. */
const after =
  (orders: unknown, more: RequestListener = (_request, response) => json(response, {}, 404)): RequestListener =>
  (request, response) => {
    if (isRegistration(request)) json(response, { instance_id: ID }, 201);
    else if (request.url!.endsWith('/heartbeat')) json(response, orders);
    else more(request, response);
  };
const endless: RequestListener = (_request, response) => {
  response.writeHead(200);
  const pour = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
    if (!response.destroyed) response.once('drain', pour);
  };
  pour();
};
const orders = (change: object = {}): object => ({ heartbeat_s: 1, bundle: null, policy_etag: null, ...change });
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
  'orders nonsense': after({ heartbeat_s: -5, bundle: 'yes', policy_etag: 7 }),
  'orders a deep document': after(`${'['.repeat(30_000)}${']'.repeat(30_000)}`),
  'wants a heartbeat without a pause': after(orders({ heartbeat_s: 0 })),
  'sends a bundle of rubbish': after(orders({ bundle: { version: 1, digest } }), (_request, response) =>
    response.end('rubbish'),
  ),
  'sends a bundle without an end': after(orders({ bundle: { version: 1, digest } }), endless),
  'sends a bundle that is a bomb': after(orders({ bundle: { version: 1, digest } }), (_request, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' });
    response.end(gzipSync(Buffer.alloc(64 * 1_048_576)));
  }),
  'sends a bundle of somebody else': after(orders({ bundle: { version: 1, digest } }), (_request, response) =>
    response.end(bundleBy(keyPair())),
  ),
  'sends another bundle than it named': after(orders({ bundle: { version: 1, digest } }), (_request, response) =>
    response.end(bundleBy(author)),
  ),
  'sends a policy that is none': after(orders({ policy_etag: 'c'.repeat(32) }), (_request, response) =>
    json(response, { default_action: 'explode', __proto__: { polluted: true } }),
  ),
  'takes no events': after(orders(), (_request, response) => json(response, {}, 503)),
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
