/** A stream is worth its name only if each frame arrives when the upstream sent it, as the bytes that it sent. */
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import test from 'node:test';
import { startPair } from './helpers/pair.ts';
import { get, openClient } from './helpers/raw-client.ts';

const FRAMES = [
  'event: message_start\ndata: {"type":"message_start"}          \n\n',
  ': OPENROUTER PROCESSING\n\n',
  'data: {"choices":[{"delta":{"content":"caf\u00e9 \u{1f600}"}}]}\r\n\r\n',
  'id: 7\nretry: 100\ndata: a\ndata: b\n\n',
  'data: [DONE]\n\n',
];

for (const [type, framing] of [
  ['text/event-stream', 'chunked'],
  ['text/event-stream', 'close'],
  ['application/x-ndjson', 'chunked'],
  ['application/octet-stream', 'chunked'],
] as const) {
  test(`each frame of ${type} (${framing}) arrives before the next is sent`, async (t) => {
    const gap = 250;
    const sentAt: number[] = [];
    const { guard, upstream } = await startPair(
      t,
      { headers: { 'Content-Type': type }, framing, body: FRAMES.flatMap((frame) => [frame, gap]) },
      { upstream: { wire: 'openai' } },
    );
    const client = await openClient(guard.port);
    client.say(get('/llm-a/x'));
    const sizes: number[] = [];
    let sum = 0;
    for (const frame of FRAMES) sizes.push((sum += Buffer.byteLength(frame)));
    const seen = () => client.answers()[0]?.body.length ?? 0;
    for (const size of sizes) {
      await client.until(() => seen() >= size);
      assert.equal(seen(), size, 'no later frame is needed to see this one');
      sentAt.push(performance.now());
    }
    for (const [index, at] of sentAt.entries()) {
      if (index > 0) assert.ok(at - sentAt[index - 1]! > gap / 2, 'frames are not held and released together');
    }
    await client.heard(1);
    assert.equal(client.answers()[0]?.body.toString(), FRAMES.join(''));
    client.leave();
    assert.deepEqual(upstream.violations, []);
  });
}

test('the head of a stream arrives before its first frame exists', async (t) => {
  const { guard } = await startPair(t, {
    headers: { 'Content-Type': 'text/event-stream' },
    framing: 'chunked',
    body: [2000, 'data: 1\n\n'],
  });
  const startedAt = performance.now();
  const client = await openClient(guard.port);
  client.say(get('/llm-a/x'));
  await client.until(() => client.bytes.includes('\r\n\r\n'));
  assert.ok(performance.now() - startedAt < 1500);
  assert.equal(client.answers()[0]?.body.length, 0);
  const [answer] = await client.heard(1);
  assert.equal(answer?.body.toString(), 'data: 1\n\n');
  client.leave();
});

test('frames that are cut anywhere, even inside a character, arrive as they were cut', async (t) => {
  const bytes = Buffer.from(FRAMES.join(''));
  const pieces = Array.from({ length: bytes.length }, (_, i) => bytes.subarray(i, i + 1));
  const { guard } = await startPair(t, {
    headers: { 'Content-Type': 'text/event-stream' },
    framing: 'chunked',
    body: pieces,
  });
  const client = await openClient(guard.port);
  client.say(get('/llm-a/x'));
  const [answer] = await client.heard(1);
  assert.ok(answer?.body.equals(bytes));
  client.leave();
});
