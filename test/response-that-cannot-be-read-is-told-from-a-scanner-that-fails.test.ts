/** Nobody can scan an answer that cannot be read. Asking again would be paid for again, and end the same way. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { gzipSync } from 'node:zlib';
import { prose } from './fixtures/streams/through.ts';
import { startGuard, type Guard } from './helpers/guard.ts';
import { ask, get } from './helpers/raw-client.ts';
import { startRecorder, type Answer, type Recorder } from './helpers/recorder.ts';
import { assertRefusal } from './helpers/refusals.ts';

let answering: Answer = {};
let upstream: Recorder;
const guards = {} as Record<'open' | 'closed', Guard>;
before(async () => {
  upstream = await startRecorder(() => answering);
  for (const failure_mode of ['open', 'closed'] as const)
    guards[failure_mode] = await startGuard({
      upstreams: { 'llm-a': { url: upstream.url } },
      config: { security: { failure_mode }, scanner: { likeness: false, response: { enabled: true } } },
    });
});
after(async () => {
  for (const guard of Object.values(guards)) await guard.close();
  await upstream.close();
});

const JSON_TYPE = { 'content-type': 'application/json' };
const coded = (coding: string, body: Buffer): Answer => ({
  headers: { ...JSON_TYPE, 'content-encoding': coding },
  body,
});

const CASES: readonly (readonly [what: string, answer: Answer, type: string, reason: string, says: RegExp])[] = [
  [
    'is compressed in a way that guard does not read',
    // Newer versions of Node read zstd; none reads this.
    coded('compress', Buffer.from('1f9d9061', 'hex')),
    'upstream_invalid',
    'content-encoding',
    /could not be scanned: .*Content-Encoding/,
  ],
  [
    'says gzip and is not',
    coded('gzip', Buffer.from('{"output":[]}')),
    'upstream_invalid',
    'corrupt-encoding',
    /could not be scanned: .*does not match its Content-Encoding/,
  ],
  [
    'is text and not UTF-8',
    { headers: JSON_TYPE, body: Buffer.from('{"output":"\xff\xfe\xfd"}', 'latin1') },
    'upstream_invalid',
    'invalid-text',
    /could not be scanned: .*not valid text/,
  ],
  [
    'unpacks to more than is read',
    coded('gzip', gzipSync(Buffer.alloc(120_000_000, ' '))),
    'response_too_large',
    'decompression-bomb',
    /could not be scanned: .*too large when decompressed/,
  ],
];

for (const [what, answer, type, reason, says] of CASES) {
  test(`in closed mode an answer that ${what} is a 502 that says so and is not to be asked for again`, async () => {
    answering = answer;
    const before = upstream.requests.length;
    const refused = await ask(guards.closed.port, get('/llm-a/v1/responses/resp_1'));
    assertRefusal(refused, 502, type);
    assert.equal(refused.value('x-should-retry'), 'false');
    assert.equal(refused.value('retry-after'), undefined);
    assert.match((JSON.parse(refused.body.toString()) as { error: { message: string } }).error.message, says);
    assert.equal(upstream.requests.length, before + 1);
    assert.match(await guards.closed.metrics(), new RegExp(`guard_unscannable_total\\{reason="${reason}"\\} 1`));
  });

  test(`in open mode an answer that ${what} passes as it came, and is counted`, async () => {
    answering = answer;
    const passed = await ask(guards.open.port, get('/llm-a/v1/responses/resp_1'));
    assert.equal(passed.status, 200);
    assert.deepEqual(passed.body, answer.body);
    const metrics = await guards.open.metrics();
    for (const metric of ['guard_unscannable_total', 'guard_fail_open_total'])
      assert.ok(metrics.includes(`${metric}{reason="${reason}"} 1`), metric);
  });
}

test('in closed mode a compressed stream that cannot be read is refused in the same way', async () => {
  answering = {
    headers: { 'content-type': 'text/event-stream', 'content-encoding': 'compress' },
    body: Buffer.from(prose(200)),
  };
  const refused = await ask(guards.closed.port, get('/llm-a/v1/responses/resp_1'));
  assertRefusal(refused, 502, 'upstream_invalid');
  assert.equal(refused.value('x-should-retry'), 'false');
});

test('an answer without a body passes in closed mode whatever its head says of the bytes', async () => {
  answering = coded('compress', Buffer.alloc(0));
  const empty = await ask(guards.closed.port, get('/llm-a/v1/responses/resp_1'));
  assert.deepEqual([empty.status, empty.value('content-encoding')], [200, 'compress']);
  answering = { headers: { ...JSON_TYPE, 'content-encoding': 'compress', 'content-length': '500' } };
  const head = await ask(guards.closed.port, get('/llm-a/v1/responses/resp_1').replace('GET', 'HEAD'));
  assert.deepEqual([head.status, head.value('content-length')], [200, '500']);
});
