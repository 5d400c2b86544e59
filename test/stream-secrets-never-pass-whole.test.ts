/** In the modes that hold text back a secret is never delivered whole, wherever it stands and however it was cut up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SHAPES, textOf, WIRES_OF, type WireOf } from './fixtures/streams/shapes.ts';
import { inChunks, passThrough, prose, SECRET } from './fixtures/streams/through.ts';

const HOLDING = ['buffered', 'full'] as const;
const MODES = ['passthrough', ...HOLDING] as const;
const PROMISES = {
  passthrough: 'the end of the stream, told as an error',
  buffered: 'never delivered whole',
  full: 'not delivered, and nothing else is',
} satisfies Record<(typeof MODES)[number], string>;

function streamOf(wire: WireOf, pieces: readonly string[]): Buffer {
  return Buffer.from([...pieces.filter((piece) => piece !== '').map(wire.piece), ...wire.end].join(''));
}

/** Prose as a model gives it, some letters at a time. */
function inPieces(text: string, size: number): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
}

for (const wire of WIRES_OF) {
  test(`${wire.name}: a secret that is split in two at any letter is not delivered`, async () => {
    for (const mode of HOLDING) {
      for (let cut = 1; cut < SECRET.length; cut += 1) {
        const pieces = [prose(100), ' ', SECRET.slice(0, cut), SECRET.slice(cut), ' is it.'];
        const chunks = inChunks(streamOf(wire, pieces), [97], cut % 2 === 0 ? 0 : null);
        const passed = await passThrough(chunks, { ...wire, mode });
        assert.ok(passed.blocked, `${mode} at ${cut}`);
        assert.ok(!textOf(wire, passed.body).includes(SECRET), `${mode} at ${cut}`);
      }
    }
  });

  for (const mode of MODES) {
    test(`${wire.name}, ${mode}: a secret at character 10, 5,000 or 500,000 is ${PROMISES[mode]}`, async () => {
      for (const offset of [10, 5000, 500_000]) {
        const before = [...inPieces(prose(offset), offset > 5000 ? 900 : 7), ' '];
        const bytes = streamOf(wire, [...before, ...SECRET, ' ', prose(50)]);
        const near = Buffer.byteLength(before.map(wire.piece).join('')) - 100;
        for (const [name, chunks] of chunkings(bytes, near)) {
          const passed = await passThrough(chunks, { ...wire, mode });
          const said = `${offset}, ${name}`;
          assert.ok(passed.blocked, said);
          const text = textOf(wire, passed.body);
          if (mode === 'full') assert.equal(passed.body, '', said);
          else if (mode === 'buffered') {
            // Frames of a known shape wait for the word; the others are judged as they come, and only the whole is kept back.
            const part = isKnown(wire) ? SECRET.slice(0, 12) : SECRET;
            assert.ok(!text.includes(part), `${said}: ${text.slice(-60)}`);
          } else {
            // It passes what it has not judged yet, and nothing that would make its reader stop listening for the error.
            assert.ok(text.includes(prose(offset).slice(0, 64)) || offset === 10, said);
            if (endsKnown(wire)) for (const end of wire.end) assert.ok(!passed.body.includes(end), said);
          }
        }
      }
    });
  }
}

/** From a byte a chunk to all that a socket gives at once. So fine everywhere would take minutes at character 500,000. */
function chunkings(bytes: Buffer, near: number): [name: string, (Buffer | number)[]][] {
  const split: [string, (Buffer | number)[]][] = [
    ['64 kB', inChunks(bytes, [65_536])],
    [
      '64 kB, then a byte a chunk',
      [...inChunks(bytes.subarray(0, near), [65_536], 0), ...inChunks(bytes.subarray(near), [1])],
    ],
  ];
  if (bytes.length < 400_000) {
    split.push(['a byte a chunk', inChunks(bytes, [1])]);
    split.push(['of many sizes, with pauses', inChunks(bytes, [300, 11, 1500], 0)]);
  }
  return split;
}

function isKnown({ name }: WireOf): boolean {
  return name !== 'a shape that nobody published' && name !== 'lines of plain text';
}

/** Of a shape that nobody published, no frame is known to end the reading. */
function endsKnown({ end }: WireOf): boolean {
  return end.length > 0 && !end.join('').includes('"kind"');
}

test('a secret at character 500,000 is not delivered, and what stood long before it is', async () => {
  for (const wire of WIRES_OF.filter(({ name }) => ['openai chat', 'anthropic', 'ollama'].includes(name))) {
    const pieces = [...inPieces(prose(500_000), 400), ' ', ...SECRET, ' and more'];
    // With time for a step now and then: what comes together with the secret is dropped together with it.
    const chunks = inChunks(streamOf(wire, pieces), [16_384], 0).flatMap((chunk, n) =>
      n % 200 === 0 ? [chunk, 20] : [chunk],
    );
    const passed = await passThrough(chunks, { ...wire, mode: 'buffered' });
    assert.ok(passed.blocked);
    const text = textOf(wire, passed.body);
    assert.ok(!text.includes(SECRET.slice(0, 8)));
    assert.ok(text.length > 400_000, String(text.length));
  }
});

test('a secret in the last words, with nothing behind it, is not delivered', async () => {
  for (const wire of WIRES_OF) {
    for (const mode of HOLDING) {
      const passed = await passThrough(inChunks(streamOf(wire, [prose(200), ' ', SECRET]), [64], 0), { ...wire, mode });
      assert.ok(passed.blocked, `${wire.name} ${mode}`);
      assert.ok(!textOf(wire, passed.body).includes(SECRET));
    }
  }
});

test('letters written as escapes inside the arguments of a tool are read as letters', async () => {
  const hidden = SECRET.replace('I', '\\u0049').replace('M', '\\u004d');
  for (const wire of WIRES_OF.filter(({ name }) => name.includes('of a tool'))) {
    const pieces = ['{"note":"', ...inPieces(prose(200), 9), ' ', ...hidden, '"}'];
    for (const mode of HOLDING) {
      const passed = await passThrough(inChunks(streamOf(wire, pieces), [50], 0), { ...wire, mode });
      assert.ok(passed.blocked, `${wire.name} ${mode}`);
    }
  }
});

test('a secret that stands only in the repetition at the end of a stream is found there', async () => {
  const shape = SHAPES.find(({ name }) => name === 'responses, text with its repetitions')!;
  const frames = shape.frames.map((frame) =>
    frame.includes('response.completed') || frame.includes('output_item.done')
      ? frame.replace('wooden', SECRET)
      : frame,
  );
  for (const mode of HOLDING) {
    const passed = await passThrough([Buffer.from(frames.join(''))], { ...shape, mode });
    assert.ok(passed.blocked);
    assert.ok(!passed.body.includes(SECRET));
    assert.ok(!passed.body.includes('response.completed'));
  }
});

test('in passthrough a secret ends the stream before anything that ends the reading', async () => {
  for (const wire of WIRES_OF.filter(endsKnown)) {
    const pieces = [prose(100), ' ', SECRET, ' and more'];
    const passed = await passThrough([streamOf(wire, pieces)], { ...wire, mode: 'passthrough' });
    assert.ok(passed.blocked, wire.name);
    assert.ok(!passed.body.includes(wire.end[0]!), wire.name);
    assert.ok(passed.body.includes(SECRET), 'what passes at once was not kept');
  }
});

/** Words among which some come close to secrets, so that a judgement made too early would differ. */
const word = fc.constantFrom(
  'harbour',
  'in 1070',
  SECRET,
  SECRET.slice(0, 12),
  `${SECRET}7Q`,
  '4111 1111 1111 1111',
  '4111 1111 1111 1111 2222',
  '4242424242424242',
  'DE89 3704 0044 0532 0130 00',
  'ghp_x',
  'the key:',
  'password =',
  '\n',
  '東京は大きい',
  'naïve café',
);

test('the verdict is the same however the stream was cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...WIRES_OF.slice(0, 7)),
      fc.array(word, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.integer({ min: 1, max: 4096 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(...HOLDING),
      async (wire, words, size, sizes, mode) => {
        const bytes = streamOf(wire, inPieces(words.join(' '), size));
        const whole = await passThrough([bytes], { ...wire, mode: 'full' });
        const cut = await passThrough(inChunks(bytes, sizes, 0), { ...wire, mode });
        assert.equal(cut.blocked, whole.blocked);
        if (!whole.blocked) assert.equal(cut.body, bytes.toString());
        assert.deepEqual([...new Set(cut.findings)].sort().filter(Boolean).length > 0, whole.findings.length > 0);
      },
    ),
    { numRuns: 120 },
  );
});

for (const reason of ['', 'null']) {
  test(`a server that names the reason ${JSON.stringify(reason)} in every event does not end the waiting for a word`, async () => {
    const piece = (content: string): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: reason }] })}\n\n`;
    const frames = [...inPieces(prose(1200), 7), ' ', ...inPieces(SECRET, 2), ' ', prose(50)].map(piece);
    const chunks = frames.flatMap((frame) => [Buffer.from(frame), 0]);
    const passed = await passThrough(chunks, { ...WIRES_OF[0]!, mode: 'buffered' });
    assert.ok(passed.blocked);
    assert.ok(!passed.body.includes(piece(SECRET.slice(0, 2))), passed.body.slice(-300));
  });
}
