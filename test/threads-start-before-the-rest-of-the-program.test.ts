/** The threads of a service are started before it is: it takes them as they are, and hears what they told meanwhile. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { begin, type Begun } from '../src/begin.ts';
import type { PoolEvents } from '../src/scanner/generations.ts';
import type { Scanner } from '../src/scanner/scanner.ts';
import { startService } from '../src/service.ts';
import { configOf } from './helpers/guard.ts';
import { PATIENCE_MS } from './helpers/patience.ts';

const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url));
const NO_LOG = { write: () => {} };

function heard(): PoolEvents & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    worker: (event) => void lines.push(event),
    log: (message) => void lines.push(message),
  };
}

test('the service works with the threads that were started for it, and ends them', async () => {
  const config = configOf({});
  const begun = begin(config);
  const { scanner, problems } = await begun!.first;
  assert.deepEqual(problems, []);
  const { service } = await startService(config, { begun, logTo: NO_LOG });
  assert.ok(service!.signatureCount() > 400);
  assert.equal(service!.signatureCount(), scanner!.signatureCount());
  const job = {
    wire: 'generic',
    direction: 'request',
    sensitive: false,
    path: '/',
    contentType: 'text/plain',
  } as const;
  const scan = (): ReturnType<Scanner['scan']> =>
    scanner!.scan({ ...job, contentEncoding: '', bytes: new TextEncoder().encode('good morning') });
  assert.equal((await scan()).kind, 'report');
  await service!.close();
  assert.deepEqual(await scan(), { kind: 'error', reason: 'not-ready' });
});

test('what threads told before anybody listened is told to the first who does, and after that at once', async () => {
  const begun = begin(configOf({}), { start: true })!;
  const { scanner } = await begun.first;
  const listener = heard();
  begun.hear(listener);
  const before = listener.lines.length;
  assert.deepEqual(listener.lines.slice(0, 2), ['replaced', 'scanner pool is being replaced']);
  // It goes on trying, and goes on failing.
  for (const until = Date.now() + PATIENCE_MS; listener.lines.length === before && Date.now() < until;)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(listener.lines.length > before);
  await scanner!.close();
});

test('signatures with problems are told, and no thread is left', async () => {
  const config = configOf({ config: { signatures: { paths: ['/nowhere/at-all.yaml'] } } });
  const begun = begin(config)!;
  const { scanner, problems } = await begun.first;
  assert.equal(scanner, null);
  assert.match(problems[0]!.message, /cannot be read/);
  const started = await startService(config, { begun, logTo: NO_LOG });
  assert.equal(started.service, null);
  assert.deepEqual(started.problems, problems);
});

test('nothing is begun where the scanner is off, or where the fleet may have sent other signatures', async () => {
  const off = begin(configOf({ config: { scanner: { enabled: false } } })) as Begun;
  assert.deepEqual(await off.first, { scanner: null, problems: [] });
  const config = configOf({});
  const inFleet = { ...config, control_plane: { ...config.control_plane, enabled: true } };
  assert.equal(begin(inFleet), null);
});

test('a service that cannot start ends the threads that were started for it, and the process with them', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  t.after(() => holder.close());
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const args = ['serve', '--host', '127.0.0.1', '--port', String(port), '--set', 'scanner.threads=1'];
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  });
  assert.match(stderr, /is in use/);
  assert.equal(status, 1, 'it ends by itself');
});
