/** What an operator has to act on is at `warn`, and says why in the words that the metrics count it by. */
import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSigned } from './helpers/certificate.ts';
import { startGuard, type Guard, type GuardOptions } from './helpers/guard.ts';
import { startPair } from './helpers/pair.ts';
import { ask, get, post } from './helpers/raw-client.ts';
import { json } from './helpers/recorder.ts';

const chat = post('/llm-a/v1/chat/completions', '{"messages":[{"role":"user","content":"hello"}]}');

type Line = Readonly<Record<string, unknown>>;

async function lineOf(guard: Guard, path: string): Promise<Line> {
  for (let waited = 0; ; waited += 5) {
    assert.ok(waited < 5000, `no line of ${path}`);
    for (const text of guard.logs()) {
      const line = JSON.parse(text) as Line;
      if (line['msg'] === 'exchange' && line['path'] === path) return line;
    }
    await sleep(5);
  }
}

const FAULTS: readonly (readonly [reason: string, faults: GuardOptions['faults'], security: object])[] = [
  ['engine', { throw: 1 }, {}],
  ['run-timeout', { hang: 1 }, { scanner_timeout_ms: 300 }],
];
for (const [reason, faults, security] of FAULTS)
  test(`a request that went on unscanned is logged at warn with its reason: ${reason}`, async (t) => {
    const { guard } = await startPair(t, json({ ok: true }), {
      config: { scanner: { threads: 1 }, security: { failure_mode: 'open', ...security } },
      faults,
    });
    assert.equal((await ask(guard.port, chat)).value('x-guard-scanned'), 'false');
    const line = await lineOf(guard, '/llm-a/v1/chat/completions');
    assert.deepEqual([line['level'], line['scanned'], line['fail_open']], ['warn', false, reason]);
    assert.ok((await guard.metrics()).includes(`guard_fail_open_total{reason="${reason}"} 1`), 'the label is the word');
  });

test('a text of POST /check that was let pass unscanned is logged at warn with its reason', async (t) => {
  const { guard } = await startPair(t, json({}), {
    config: { scanner: { threads: 1 }, security: { failure_mode: 'open' } },
    faults: { throw: 1 },
  });
  assert.equal((await ask(guard.port, post('/check', '{"text":"hello"}'))).status, 200);
  const line = await lineOf(guard, '/check');
  assert.deepEqual([line['level'], line['fail_open']], ['warn', 'engine']);
});

for (const [reason, faults] of [
  ['engine', { throw: 1 }],
  ['scanner-crash', { crash: 1 }],
] as const)
  test(`an answer that went on unscanned is logged at warn with its reason: ${reason}`, async (t) => {
    const { guard } = await startPair(t, json({ output: [] }), {
      config: {
        scanner: { threads: 2, response: { enabled: true } },
        security: { failure_mode: 'open', scanner_timeout_ms: 20_000 },
      },
      faults,
    });
    assert.equal((await ask(guard.port, get('/llm-a/v1/responses/resp_1'))).status, 200);
    const line = await lineOf(guard, '/llm-a/v1/responses/resp_1');
    assert.deepEqual([line['level'], line['fail_open']], ['warn', reason]);
  });

test('a call that the scanner could not judge and that was refused is logged at warn', async (t) => {
  const { guard } = await startPair(t, json({}), {
    config: { scanner: { threads: 1 }, security: { failure_mode: 'closed' } },
    faults: { throw: 1 },
  });
  assert.equal((await ask(guard.port, chat)).status, 503);
  const line = await lineOf(guard, '/llm-a/v1/chat/completions');
  assert.deepEqual([line['level'], line['refusal'], line['fail_open']], ['warn', 'scanner_error', undefined]);
});

test('an ordinary call and a request that its sender got wrong stay at info', async (t) => {
  const { guard } = await startPair(t, json({}));
  await ask(guard.port, get('/llm-a/fine'));
  await ask(guard.port, get('/nobody/here'));
  assert.equal((await lineOf(guard, '/llm-a/fine'))['level'], 'info');
  assert.equal((await lineOf(guard, '/nobody/here'))['level'], 'info');
});

/** A guard before an address that is not one of a recorder. */
async function before(t: TestContext, url: string): Promise<Guard> {
  const guard = await startGuard({ upstreams: { 'llm-a': { url } }, config: { scanner: { enabled: false } } });
  t.after(() => guard.close());
  return guard;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

test('an upstream that cannot be reached is logged at warn with the code of the system, which the client is not told', async (t) => {
  const { key, cert } = selfSigned('localhost');
  const tls = createTlsServer({ key, cert }, (socket) => socket.end());
  tls.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
  t.after(() => tls.close());
  const plain = createServer((socket) => socket.end('not TLS at all\r\n\r\n'));
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  t.after(() => plain.close());
  for (const [url, code] of [
    [`http://127.0.0.1:${await closedPort()}`, /^ECONNREFUSED$/],
    ['http://no-such-host.invalid', /^(?:ENOTFOUND|EAI_AGAIN)$/],
    [`https://127.0.0.1:${(tls.address() as AddressInfo).port}`, /^DEPTH_ZERO_SELF_SIGNED_CERT$/],
    [`https://127.0.0.1:${(plain.address() as AddressInfo).port}`, /^(?:EPROTO|ERR_SSL_\w+)$/],
  ] as const) {
    const guard = await before(t, url);
    const answer = await ask(guard.port, get('/llm-a/x'));
    assert.equal(answer.status, 502, url);
    const line = await lineOf(guard, '/llm-a/x');
    assert.deepEqual(
      [line['level'], line['refusal'], line['upstream_fault']],
      ['warn', 'upstream_unreachable', 'unreachable'],
      url,
    );
    assert.match(String(line['error_code']), code, url);
    assert.doesNotMatch(answer.body.toString(), code, 'the client is told what, and not why');
    assert.ok(
      (await guard.metrics()).includes('guard_upstream_faults_total{upstream="llm-a",fault="unreachable"} 1'),
      url,
    );
  }
});

test('an upstream that hangs up, answers nonsense or answers too late is logged at warn with the word of its metric', async (t) => {
  for (const [answering, upstream, fault, code] of [
    [{ raw: '', end: 'rst' }, {}, 'closed', 'ECONNRESET'],
    [{ raw: 'HTTP/9.9 what\r\n\r\n', end: 'hang' }, {}, 'invalid', /^HPE_/],
    [{ raw: '', end: 'hang' }, { timeout_s: 1 }, 'first-byte-timeout', undefined],
  ] as const) {
    const { guard } = await startPair(t, answering, { upstream });
    await ask(guard.port, get('/llm-a/x'));
    const line = await lineOf(guard, '/llm-a/x');
    assert.deepEqual([line['level'], line['upstream_fault']], ['warn', fault]);
    if (code instanceof RegExp) assert.match(String(line['error_code']), code);
    else assert.equal(line['error_code'], code);
  }
});

test('an upstream that breaks off in the middle of its answer is logged at warn', async (t) => {
  const { guard } = await startPair(t, { framing: 'chunked', body: ['half'], end: 'rst' });
  await fetch(`${guard.url}/llm-a/x`)
    .then((answer) => answer.text())
    .catch(() => {});
  const line = await lineOf(guard, '/llm-a/x');
  assert.deepEqual([line['level'], line['ending'], line['upstream_fault']], ['warn', 'upstream-broke', 'broken-body']);
  assert.equal(line['error_code'], undefined);
});

const BROKEN_CHUNK =
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n';

test('a body that is no sound HTTP is logged with the code of the parser', async (t) => {
  const { guard } = await startPair(t, { raw: BROKEN_CHUNK, end: 'hang' });
  await fetch(`${guard.url}/llm-a/x`)
    .then((answer) => answer.text())
    .catch(() => {});
  const line = await lineOf(guard, '/llm-a/x');
  assert.deepEqual([line['ending'], line['upstream_fault']], ['upstream-broke', 'broken-body']);
  assert.match(String(line['error_code']), /^HPE_/);
});
