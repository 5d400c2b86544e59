/** With `n: 128` a hundred and twenty-eight answers grow side by side, each a word at a time, and none is read less for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inChunks, passThrough, prose, SECRET, type Passed } from './fixtures/streams/through.ts';

const path = '/v1/chat/completions';
const CANARY = 'the blue heron stands in reeds';
const frameOf = (index: number, content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index, delta: { content }, finish_reason: null }] })}\n\n`;
const endOf = (index: number): string =>
  `data: ${JSON.stringify({ choices: [{ index, delta: {}, finish_reason: 'stop' }] })}\n\n`;
const WORDS = prose(4000).match(/[^]{1,5}/g)!;

/** Answers of many words, in turns; one of them tells the text in the midst of its own. */
function told(answers: number, teller: number, text: string, piece: number): Buffer {
  const pieces = ` ${text} `.match(new RegExp(`[^]{1,${piece}}`, 'g'))!;
  const frames: string[] = [];
  for (let turn = 0; turn < pieces.length + 40; turn += 1)
    for (let answer = 0; answer < answers; answer += 1)
      frames.push(
        frameOf(
          answer,
          answer === teller && turn >= 20 && turn < 20 + pieces.length
            ? pieces[turn - 20]!
            : WORDS[(turn + answer * 13) % WORDS.length]!,
        ),
      );
  return Buffer.from([...frames, 'data: [DONE]\n\n'].join(''));
}

/** What one answer says in the frames that were delivered. */
function saidBy(passed: Passed, answer: number): string {
  return passed.body
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: {"choices"'))
    .map(
      (frame) =>
        (JSON.parse(frame.slice(6)) as { choices: [{ index: number; delta: { content?: string } }] }).choices[0],
    )
    .filter(({ index }) => index === answer)
    .map(({ delta }) => delta.content ?? '')
    .join('');
}

for (const [answers, teller] of [
  [12, 5],
  [128, 77],
] as const)
  for (const [what, text, forbidden] of [
    ['a secret', SECRET, null],
    ['a canary', CANARY, { canaries: [CANARY], secrets: [] }],
  ] as const)
    for (const mode of ['buffered', 'full'] as const)
      test(`${what} in one of ${answers} answers is not delivered, nor how it begins (${mode})`, async () => {
        const passed = await passThrough(inChunks(told(answers, teller, text, 3), [3000], 0), {
          kind: 'sse',
          mode,
          path,
          forbidden,
        });
        assert.ok(passed.blocked);
        assert.ok(!saidBy(passed, teller).includes(text.slice(0, 6)), saidBy(passed, teller).slice(-40));
        if (mode === 'buffered') assert.notEqual(saidBy(passed, teller), '', 'what was said before is delivered');
      });

test('an answer that ends does not let go what another one is just saying', async () => {
  const half = SECRET.slice(0, 15);
  const frames = [
    frameOf(0, 'It is well. '),
    frameOf(1, `So it is ${half}`),
    frameOf(0, 'Done.'),
    endOf(0),
    frameOf(1, SECRET.slice(15)),
    endOf(1),
    'data: [DONE]\n\n',
  ];
  const passed = await passThrough(
    frames.map((frame) => Buffer.from(frame)).flatMap((frame) => [frame, 5]),
    {
      kind: 'sse',
      mode: 'buffered',
      path,
      bufferChars: 1,
    },
  );
  assert.ok(passed.blocked);
  assert.ok(!passed.body.includes(half));
});

test('an answer that is the only one is delivered to its end when it ends', async () => {
  const frames = [frameOf(0, 'It is wel'), frameOf(0, 'l'), endOf(0)];
  const passed = await passThrough(
    [...frames.map((frame) => Buffer.from(frame)), 50, Buffer.from('data: [DONE]\n\n')],
    {
      kind: 'sse',
      mode: 'buffered',
      path,
      bufferChars: 1,
    },
  );
  assert.equal(passed.pieces[0]!.toString().includes('finish_reason":"stop"'), true, 'not held for what follows');
});

test('of more answers than any provider tells at once the stream is refused, and not read in part', async () => {
  const frames = Array.from({ length: 300 }, (_, answer) => frameOf(answer, 'some words '));
  const passed = await passThrough(inChunks(Buffer.from(frames.join('')), [3000], 0), {
    kind: 'sse',
    mode: 'full',
    path,
  });
  assert.ok(passed.blocked);
  assert.equal(passed.body, '');
});
