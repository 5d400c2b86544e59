/** Clean streams of every published shape leave as they came, in every mode and however they were cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SHAPES, WIRES_OF } from './fixtures/streams/shapes.ts';
import { inChunks, passThrough, prose } from './fixtures/streams/through.ts';

const MODES = ['passthrough', 'buffered', 'full'] as const;

for (const shape of SHAPES) {
  test(`${shape.name}: byte for byte in all modes and chunkings`, async () => {
    const bytes = Buffer.from(shape.frames.join(''));
    for (const mode of MODES) {
      for (const [sizes, pause] of [
        [[1], null],
        [[7, 130], 0],
        [[65_536], null],
      ] as const) {
        for (const mask of [false, true]) {
          const passed = await passThrough(inChunks(bytes, sizes, pause), { ...shape, mode, mask });
          assert.deepEqual(passed.findings, []);
          assert.equal(passed.blocked, false);
          assert.equal(passed.body, bytes.toString());
        }
      }
    }
  });
}

test('a block of text that has ended does not hold up the next one', async () => {
  const block = (index: number, text: string): string =>
    `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })}\n\n`;
  const frames = [...'abcdefgh']
    .map((letter) => block(0, letter))
    .concat(Array.from({ length: 60 }, () => block(1, 'word ')));
  const chunks = frames.flatMap((frame) => [Buffer.from(frame), 6]);
  const passed = await passThrough(chunks, { mode: 'buffered', path: '/v1/messages', kind: 'sse', bufferChars: 1 });
  assert.equal(passed.body, frames.join(''));
  const longest = Math.max(...passed.pieces.map((piece) => piece.length));
  assert.ok(longest < passed.body.length / 2, `${longest} of ${passed.body.length} bytes went out at once`);
});

test('the median of what is held back of clean text is at most 64 characters', async () => {
  const { held } = await holdOf(WIRES_OF[0]!.piece);
  const sorted = held.sort((a, b) => a - b);
  const median = sorted[sorted.length >> 1]!;
  assert.ok(median <= 64, `median ${median}, 95th ${sorted[Math.floor(sorted.length * 0.95)]}`);
});

/** After each piece and a moment for the scan: how many characters have come in and not gone out. */
async function holdOf(frameOf: (text: string) => string): Promise<{ held: number[] }> {
  const pieces = prose(4000).match(/\s*\S+/g) ?? [];
  const held: number[] = [];
  let gone = 0;
  const { createScannedStream } = await import('../src/proxy/stream/scanned.ts');
  const { scanStream } = await import('../src/detect/stream/stream.ts');
  const { rules } = await import('./fixtures/streams/through.ts');
  const stream = createScannedStream(
    {
      kind: 'sse',
      mode: 'buffered',
      path: '/v1/chat/completions',
      bufferChars: 64,
      maxBytes: 1e7,
      mask: false,
      forbidden: null,
    },
    {
      step: async (job) => scanStream(rules(), job, () => false),
      judge: () => null,
      shouldMask: () => false,
      onFailedStep: () => null,
      countResult: () => {},
      refusalOfTooLarge: () => assert.fail(),
      onOwnFault: (error) => assert.fail(error as Error),
    },
    {
      write: (bytes) => {
        gone += bytes.toString().split('\n\n').length - 1;
        return true;
      },
      end: () => {},
      refuse: () => assert.fail(),
      pause: () => {},
      resume: () => {},
    },
  );
  let sent = 0;
  for (const [index, piece] of pieces.entries()) {
    stream.push(Buffer.from(frameOf(piece)));
    sent += 1;
    await new Promise((resolve) => setTimeout(resolve, 6));
    const waiting = pieces.slice(gone, sent).join('').length;
    if (gone > 0 && index > 20) held.push(waiting);
  }
  stream.stop();
  assert.ok(held.length > 300);
  return { held };
}

test('a stream of nothing but endings passes, in steps that keep their deadline', async () => {
  const lines = Array.from({ length: 300 }, (_, n) => `{"message":{"content":"line ${n} "},"done":true}\n`);
  for (const mode of MODES) {
    const passed = await passThrough([Buffer.from(lines.join(''))], { mode, path: '/api/chat', kind: 'ndjson' });
    assert.equal(passed.body, lines.join(''));
    assert.ok(passed.steps >= 5, `${mode}: ${passed.steps} steps`);
  }
});
