/** The log of a stream's frames: what is judged and what goes out are pieces of what came in, in order and once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFrameLog } from '../src/proxy/stream/frame-log.ts';
import { createScannedStream } from '../src/proxy/stream/scanned.ts';

const step = fc.oneof(
  fc.record({ add: fc.integer({ min: 1, max: 9000 }) }),
  fc.record({ take: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ release: fc.integer({ min: 0, max: 20 }) }),
);

test('whatever the order of things, every byte is judged once and goes out once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const log = createFrameLog();
      const frames: Buffer[] = [];
      const given: { piece: Buffer; from: number; to: number }[] = [];
      let taken = 0;
      let gone = 0;
      const bytesOf = (from: number, to: number): Buffer => Buffer.concat(frames.slice(from, to));
      for (const one of steps) {
        if ('add' in one) {
          const frame = Buffer.alloc(one.add, frames.length % 251);
          frames.push(frame);
          log.add(frame);
        } else if ('take' in one) {
          const { bytes, ends } = log.take(one.take);
          const to = Math.min(frames.length, taken + one.take);
          given.push({ piece: bytes, from: taken, to });
          assert.deepEqual(
            ends,
            frames.slice(taken, to).map((_, at) => bytesOf(taken, taken + at + 1).length),
          );
          taken = to;
        } else {
          const until = gone + one.release;
          const piece = log.release(until);
          const to = Math.min(frames.length, until);
          assert.equal(piece === null, to === gone);
          if (piece !== null) given.push({ piece, from: gone, to });
          gone = to;
        }
        assert.equal(log.firstHeld(), gone);
        assert.equal(log.firstUntaken(), taken);
        assert.equal(log.nextNumber(), frames.length);
        assert.equal(log.untakenFrames(), frames.length - taken);
        assert.equal(log.heldBytes(), bytesOf(gone, frames.length).length);
        assert.equal(log.untakenBytes(), bytesOf(taken, frames.length).length);
      }
      // Last of all: nothing that was given away was written over meanwhile.
      for (const { piece, from, to } of given) assert.ok(piece.equals(bytesOf(from, to)));
    }),
    { numRuns: 300 },
  );
});

test('what is amended goes out amended, and the frames around it as they came', () => {
  const log = createFrameLog();
  for (const frame of ['one', 'two', 'three']) log.add(Buffer.from(frame));
  log.addPatch({ frame: 1, start: 0, end: 2, text: 'wh' });
  log.addPatch({ frame: 1, start: 2, end: 3, text: 'at' });
  assert.equal(log.release(1)?.toString(), 'one');
  assert.equal(log.release(3)?.toString(), 'whatthree');
});

test('a stream that goes on unscanned is not stopped for what nobody will judge', async () => {
  const frame = Buffer.from(`data: ${'x'.repeat(10_000)}\n\n`);
  let stopped = 0;
  let sent = 0;
  let over = false;
  const stream = createScannedStream(
    {
      kind: 'sse',
      mode: 'buffered',
      path: '/v1/chat/completions',
      bufferChars: 1,
      maxBytes: 1e8,
      mask: false,
      forbidden: null,
    },
    {
      step: () => Promise.resolve({ kind: 'error', reason: 'engine' }),
      judge: () => null,
      shouldMask: () => false,
      onFailedStep: () => null,
      countResult: () => {},
      refusalOfTooLarge: () => assert.fail(),
      onOwnFault: (error) => assert.fail(error as Error),
    },
    {
      write: (bytes) => (sent += bytes.length) > 0,
      end: () => void (over = true),
      refuse: () => assert.fail(),
      pause: () => void (stopped += 1),
      resume: () => {},
    },
  );
  for (let at = 0; at < 300; at += 1) {
    stream.push(frame);
    await new Promise((resolve) => setImmediate(resolve));
  }
  stream.end();
  assert.equal(stopped, 0);
  assert.equal(sent, 300 * frame.length);
  assert.ok(over);
});

test('a step that ends does not wake the upstream for a client that has not read', async () => {
  const frame = Buffer.from(`data: ${'x'.repeat(1000)}\n\n`);
  const told: string[] = [];
  const stream = createScannedStream(
    {
      kind: 'sse',
      mode: 'passthrough',
      path: '/v1/chat/completions',
      bufferChars: 1,
      maxBytes: 1e8,
      mask: false,
      forbidden: null,
    },
    {
      step: ({ state }) => Promise.resolve({ kind: 'step', findings: [], patches: [], clearedUntil: Infinity, state }),
      judge: () => null,
      shouldMask: () => false,
      onFailedStep: () => null,
      countResult: () => void told.push('judged'),
      refusalOfTooLarge: () => assert.fail(),
      onOwnFault: (error) => assert.fail(error as Error),
    },
    {
      write: () => false,
      end: () => assert.fail(),
      refuse: () => assert.fail(),
      pause: () => void told.push('pause'),
      resume: () => void told.push('resume'),
    },
  );
  for (let at = 0; at < 40; at += 1) stream.push(frame);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(told.includes('judged'));
  assert.ok(!told.includes('resume'), told.join(' '));
  stream.onDrain();
  assert.equal(told.at(-1), 'resume');
  stream.stop();
});
