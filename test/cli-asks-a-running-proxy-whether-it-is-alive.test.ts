import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import { guard, temporaryFolder } from './helpers/cli.ts';
import { FEW_SIGNATURES } from './helpers/few-signatures.ts';
import { startGuard } from './helpers/guard.ts';

const folder = temporaryFolder();
after(() => folder.remove());

async function withServer<Result>(answer: RequestListener, use: (port: number) => Promise<Result>): Promise<Result> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const healthy: RequestListener = (request, response) => {
  response.statusCode = request.url === '/healthz' && request.method === 'GET' ? 200 : 404;
  response.end('{"status":"healthy"}');
};

const trickle: RequestListener = (_, response) => {
  const timer = setInterval(() => response.write(' '), 200);
  response.on('close', () => clearInterval(timer));
};

test('a proxy that answers healthy exits with 0 and says nothing', async () => {
  await withServer(healthy, async (port) => {
    const file = folder.file('c.yaml', `server: { port: ${port} }\nupstreams: { a: { url: "http://h" } }`);
    const calls = [
      ['healthcheck', '-c', file],
      ['healthcheck', '--port', String(port)],
      ['healthcheck', '--url', `http://127.0.0.1:${port}`],
      ['healthcheck', '--url', `http://127.0.0.1:${port}/healthz`],
    ];
    for (const args of calls) assert.deepEqual(await guard(args), { code: 0, stdout: '', stderr: '' }, args.join(' '));
    assert.equal((await guard(['healthcheck'], { GUARD_SERVER__PORT: String(port) })).code, 0);
  });
});

test('any other answer exits with 1 and says which', async () => {
  const answers: readonly (readonly [RequestListener, RegExp])[] = [
    [(_, response) => response.writeHead(503).end('{"status":"healthy"}'), /^unhealthy: http:\/\/\S+: status 503\n$/],
    [
      (_, response) => response.end('{"status":"sick"}'),
      /^unhealthy: http:\/\/\S+: the answer is not a health report; is it guard that listens there\?\n$/,
    ],
    [
      (_, response) => response.end('null'),
      /^unhealthy: http:\/\/\S+: the answer is not a health report; is it guard that listens there\?\n$/,
    ],
    [
      (_, response) => response.end('<html>'),
      /^unhealthy: http:\/\/\S+: the answer is not a health report; is it guard that listens there\?\n$/,
    ],
    [(_, response) => response.end('x'.repeat(100_000)), /^unhealthy: http:\/\/\S+: the answer is too long\n$/],
    [(_, response) => void response.socket?.destroy(), /^unhealthy: http:\/\/\S+: ECONNRESET\n$/],
    [
      (_, response) => void response.writeHead(302, { location: '/healthz' }).end(),
      /^unhealthy: http:\/\/\S+: status 302\n$/,
    ],
  ];
  for (const [answer, said] of answers) {
    const { code, stderr } = await withServer(answer, (port) =>
      guard(['healthcheck', '--url', `http://127.0.0.1:${port}`]),
    );
    assert.equal(code, 1, stderr);
    assert.match(stderr, said);
  }
});

test('nobody listening exits with 1', async () => {
  const port = await withServer(healthy, (free) => Promise.resolve(free));
  const { code, stderr } = await guard(['healthcheck', '--url', `http://127.0.0.1:${port}`]);
  assert.equal(code, 1);
  assert.match(stderr, /^unhealthy: http:\/\/127\.0\.0\.1:\d+\/healthz: ECONNREFUSED: nothing listens there; /);
});

test('a proxy that hangs, or trickles, is given up after four seconds', async () => {
  for (const answer of [() => undefined, trickle]) {
    const started = performance.now();
    const { code, stderr } = await withServer(answer, (port) =>
      guard(['healthcheck', '--url', `http://127.0.0.1:${port}`]),
    );
    const took = performance.now() - started;
    assert.equal(code, 1);
    assert.match(stderr, /in time\n$/);
    assert.ok(took > 3900 && took < 8000, `${took.toFixed(0)} ms`);
  }
});

test('a port that only the running proxy knows cannot be asked', async () => {
  const { code, stderr } = await guard(['healthcheck', '--port', '0']);
  assert.equal(code, 2);
  assert.match(stderr, /give --url/);
});

test('a proxy that is ready is healthy where its readiness is asked for, and one that is not ready is not', async (t) => {
  const running = await startGuard({ config: FEW_SIGNATURES });
  t.after(() => running.close());
  const ready = ['healthcheck', '--url', `${running.url}/readyz`];
  assert.deepEqual(await guard(ready), { code: 0, stdout: '', stderr: '' });
  assert.equal((await guard(['healthcheck', '--url', running.url])).code, 0);
  const other = await withServer(
    (_, response) => response.end('{"status":"not_ready"}'),
    (port) => guard(['healthcheck', '--url', `http://127.0.0.1:${port}/readyz`]),
  );
  assert.equal(other.code, 1);
});
