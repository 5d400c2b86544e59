/** With `mask`, the value makes way for a label, and every other byte stays as it came. */
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import fc from 'fast-check';
import { WIRES_OF, textOf } from './fixtures/streams/shapes.ts';
import { inChunks, passThrough, prose, SECRET } from './fixtures/streams/through.ts';
import { startGuard } from './helpers/guard.ts';
import { ask, post } from './helpers/raw-client.ts';
import { json, sse, startRecorder, type Answer } from './helpers/recorder.ts';

const LABEL = '[REDACTED:aws-access-key]';
const HOLDING = ['buffered', 'full'] as const;
const MASKED = WIRES_OF.filter(({ name }) => name !== 'lines of plain text');

for (const wire of MASKED) {
  test(`${wire.name}: a value that was split across frames is replaced, and nothing else is`, async () => {
    for (const mode of HOLDING) {
      for (const cut of [1, 4, 10, 19]) {
        const before = prose(200).split(/(?= )/);
        const pieces = [
          ...before,
          ' "',
          SECRET.slice(0, cut),
          SECRET.slice(cut),
          '", née ',
          'ok.',
          ' 4242 4242',
          ' 4242 4242',
          ' end',
        ];
        const frames = [...pieces.map(wire.piece), ...wire.end];
        const bytes = Buffer.from(frames.join(''));
        for (const [sizes, pause] of [
          [[64], 0],
          [[100_000], null],
        ] as const) {
          const passed = await passThrough(inChunks(bytes, sizes, pause), { ...wire, mode, mask: true });
          assert.ok(!passed.blocked, `${mode} ${cut} ${passed.findings.join()}`);
          const text = textOf(wire, passed.body);
          assert.ok(!text.includes(SECRET) && !text.includes('4242'), text);
          assert.equal(text.split(LABEL).length, 2, text);
          // Frames that held no part of a value are what they were, and each of the others is whole.
          const out = passed.body.split(wire.kind === 'sse' ? /(?<=\n\n)/ : /(?<=\n)/);
          const same = frames.filter((frame) => !out.includes(frame));
          assert.ok(same.length <= 4, same.join(''));
          assert.equal(out.length, frames.length);
          for (const frame of out)
            for (const [, data] of frame.matchAll(/(?:data: |^)(\{.*\})$/gm))
              assert.doesNotThrow(() => JSON.parse(data!));
        }
      }
    }
  });
}

test('the same value in the repetitions of a stream is replaced there as well', async () => {
  const event = (value: { readonly type: string }): string =>
    `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
  const output = [{ id: 'm', type: 'message', content: [{ type: 'output_text', text: `It is "${SECRET}", so.` }] }];
  const delta = (text: string): string =>
    event({ type: 'response.output_text.delta', output_index: 0, delta: text } as { type: string });
  const frames = [
    delta('It is "AKIA'),
    delta(SECRET.slice(4)),
    delta('", so.'),
    event({ type: 'response.output_item.done', output_index: 0, item: output[0] } as { type: string }),
    event({ type: 'response.completed', response: { id: 'r', output } } as { type: string }),
  ];
  for (const mode of HOLDING) {
    const passed = await passThrough([Buffer.from(frames.join(''))], {
      mode,
      path: '/v1/responses',
      kind: 'sse',
      mask: true,
    });
    assert.equal(passed.blocked, false);
    assert.equal(passed.body.split(LABEL).length, 4, passed.body);
    assert.ok(!passed.body.includes(SECRET.slice(4)));
  }
});

test('what cannot be replaced where it stands is blocked', async () => {
  const hidden = Buffer.from(`the key is ${SECRET} so`).toString('base64');
  const key = [
    '-----BEGIN RSA PRIVATE',
    ` KEY-----\nMIIEowIBAAKCAQEA7c9Qv2Xn4Kz8Lw1Rb6Tt3Yp5Ju0Hd9Gs2Fa4Ve7Wm1Xq\n`,
  ].join('');
  for (const text of [hidden, key]) {
    const bytes = Buffer.from([prose(100), ' ', text, ' end'].map(WIRES_OF[0]!.piece).join('') + 'data: [DONE]\n\n');
    const passed = await passThrough([bytes], {
      mode: 'buffered',
      path: '/v1/chat/completions',
      kind: 'sse',
      mask: true,
    });
    assert.equal(passed.blocked, true);
    assert.ok(!passed.body.includes(text));
  }
});

test('wherever values stand and however a stream is cut, none is delivered and all else is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...MASKED.slice(0, 7)),
      fc.array(fc.constantFrom('word', SECRET, 'née', '"quoted"', '\\', '\n', '东京', '😀', 'key: '), {
        minLength: 1,
        maxLength: 14,
      }),
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...HOLDING),
      async (wire, words, size, sizes, mode) => {
        const said = words.join(' ');
        const pieces = said.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [];
        const bytes = Buffer.from([...pieces.map(wire.piece), ...wire.end].join(''));
        const passed = await passThrough(inChunks(bytes, sizes, 0), { ...wire, mode, mask: true });
        assert.ok(!passed.body.includes(SECRET));
        if (!passed.blocked) {
          // Which of the signatures that agree gives the name is theirs; all matched from the first letter of the secret.
          const raw = JSON.stringify(said.replaceAll(SECRET, LABEL)).slice(1, -1);
          assert.equal(textOf(wire, passed.body).replaceAll(/\[REDACTED:[a-z-]+\]/g, LABEL), raw);
        } else {
          assert.ok(
            wire.name.includes('of a tool') || pieces.some((piece) => SECRET.includes(piece) && words.includes(piece)),
            said,
          );
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('over sockets: a masked answer has its exact length, is valid JSON, and counts as a block', async () => {
  let answer: Answer = {};
  const upstream = await startRecorder(() => answer);
  const guard = await startGuard({
    upstreams: { llm: { url: upstream.url } },
    config: { scanner: { response: { enabled: true, buffer_chars: 64, mask: true } } },
  });
  after(async () => {
    await guard.close();
    await upstream.close();
  });
  const call = () => ask(guard.port, post('/llm/v1/chat/completions', '{"messages":[{"role":"user","content":"hi"}]}'));
  const content = `Née: "${SECRET}"\n\tand again ${SECRET}.`;
  const body = ` {"id":"x",  "n":1.0e2, "choices":[{"message":{"content":${JSON.stringify(content)}},"index":0}] }`;
  answer = { headers: { 'content-type': 'application/json', etag: '"of-the-bytes"' }, body };
  const whole = await call();
  assert.equal(whole.status, 200);
  assert.equal(whole.body.toString(), body.replaceAll(SECRET, LABEL));
  assert.deepEqual(whole.values('content-length'), [String(whole.body.length)]);
  assert.deepEqual(whole.values('etag'), []);

  answer = json({ choices: [{ index: 0, message: { content: 'Nothing here.' } }] });
  assert.equal((await call()).body.toString(), answer.body);

  const frames = [prose(100), ' ', SECRET.slice(0, 5), SECRET.slice(5), ' end'].map(WIRES_OF[0]!.piece);
  // A length that is announced would be that of other bytes.
  answer = { headers: { 'content-type': 'text/event-stream' }, body: `${frames.join('')}data: [DONE]\n\n` };
  const streamed = await call();
  assert.equal(textOf(WIRES_OF[0]!, streamed.body.toString()), `${prose(100)} ${LABEL} end`);
  assert.ok(streamed.body.toString().endsWith('data: [DONE]\n\n') && streamed.complete);

  answer = sse(frames.concat('data: [DONE]\n\n'));
  assert.ok((await call()).body.includes(LABEL));

  const lines = guard.logs().filter((line) => line.includes('"block"'));
  assert.equal(lines.length, 3);
  assert.ok(
    lines.every((line) => line.includes('"answered"') && !line.includes(SECRET)),
    lines[0],
  );
  assert.match(await guard.metrics(), /guard_detections_total\{[^}]*action="block"[^}]*\} 3/);
});
