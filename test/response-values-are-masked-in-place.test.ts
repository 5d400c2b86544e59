/** With `mask`, the value makes way for a label, and every other byte stays as it came. */
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import fc from 'fast-check';
import { WIRES_OF, textOf } from './fixtures/streams/shapes.ts';
import { inChunks, passThrough, prose, rules, SECRET } from './fixtures/streams/through.ts';
import { scanStream } from '../src/detect/stream/stream.ts';
import { FRESH_STREAM, type StreamJob } from '../src/domain/stream.ts';
import { startGuard } from './helpers/guard.ts';
import { ask, post } from './helpers/raw-client.ts';
import { json, sse, startRecorder, type Answer } from './helpers/recorder.ts';

const LABEL = '[REDACTED:aws-access-key]';
const HOLDING = ['buffered', 'full'] as const;
const MASKED = WIRES_OF.filter(({ name }) => name !== 'lines of plain text');
/** Where the text is known for text: what is split over frames of no known shape is not waited for. */
const KNOWN = MASKED.filter(({ name }) => name !== 'a shape that nobody published');

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

const OPENAI = WIRES_OF[0]!;
const RESPONSES = { path: '/v1/chat/completions', kind: 'sse' } as const;

test('what was hidden in an encoding has no place of its own, and is blocked', async () => {
  const hidden = Buffer.from(`the key is ${SECRET} so`).toString('base64');
  const bytes = Buffer.from([prose(100), ' ', hidden, ' end'].map(OPENAI.piece).join('') + 'data: [DONE]\n\n');
  const passed = await passThrough([bytes], { mode: 'buffered', ...RESPONSES, mask: true });
  assert.equal(passed.blocked, true);
  assert.ok(!passed.body.includes(hidden));
});

/** Made up; of a kind that no library takes. */
const KEY_LINES = Array.from({ length: 7 }, (_, line) =>
  Array.from({ length: 64 }, (_, at) => 'mQ7xZr2LkV9tBcE4nWjY0sHdPf8uGaT'[(at * 7 + line * 11) % 31]).join(''),
);
const keyOf = (lineEnd: string, last = '-----END RSA PRIVATE KEY-----'): string =>
  ['-----BEGIN RSA PRIVATE', ` KEY-----${lineEnd}`, KEY_LINES.join(lineEnd), lineEnd, last].join('');

for (const wire of KNOWN) {
  test(`${wire.name}: a private key goes with all its lines, up to its last`, async () => {
    const lineEnd = wire.name.includes('of a tool') ? '\\n' : '\n';
    for (const mode of HOLDING) {
      for (const size of [1, 7, 50, 1000]) {
        const said = `${prose(150)}: ${keyOf(lineEnd)} and that was it.`;
        const pieces = said.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
        const bytes = Buffer.from([...pieces.map(wire.piece), ...wire.end].join(''));
        const passed = await passThrough(inChunks(bytes, [900], 0), { ...wire, mode, mask: true });
        assert.ok(!passed.blocked, `${mode} ${size} ${passed.findings.join()}`);
        const text = textOf(wire, passed.body);
        for (const line of KEY_LINES) assert.ok(!text.includes(line.slice(0, 8)), `${mode} ${size}: ${text}`);
        assert.ok(!text.includes('-----END'), text);
        assert.ok(text.endsWith(' and that was it.'), text);
        assert.equal(text.split('[REDACTED:private-key]').length, 2, text);
        assert.ok(text.startsWith(JSON.stringify(`${prose(150)}: `).slice(1, -1)), text);
      }
    }
  });
}

test('a private key ends with its last line also where another choice speaks in the middle of that line', async () => {
  const frame = (index: number, content: string): string =>
    `data: ${JSON.stringify({ choices: [{ index, delta: { content } }] })}\n\n`;
  const key = keyOf('\n');
  const after = ' and that was it, as anybody can see.';
  for (let cut = key.indexOf('-----END') - 1; cut <= key.length; cut += 1) {
    const frames = [
      frame(0, key.slice(0, cut)),
      ...Array.from({ length: 12 }, () => frame(1, 'and so on ')),
      frame(0, key.slice(cut) + after),
      'data: [DONE]\n\n',
    ];
    const chunks = inChunks(Buffer.from(frames.join('')), [200], 0);
    for (const mode of ['buffered', 'full'] as const) {
      const passed = await passThrough(chunks, { path: '/v1/chat/completions', kind: 'sse', mode, mask: true });
      assert.ok(!passed.blocked);
      const said = [...passed.body.matchAll(/"index":0,"delta":\{"content":"([^"]*)"/g)]
        .map(([, text]) => text)
        .join('');
      assert.equal(said, `[REDACTED:private-key]${after}`, `${mode}, cut at ${cut - key.length}`);
    }
  }
});

test('a private key without a last line goes to the end of what is said, and no further', async () => {
  const said = `${prose(100)} ${keyOf('\n', '')}and prose`;
  const [first, second] = [said.match(/[^]{1,9}/g)!, prose(200).match(/[^]{1,9}/g)!];
  const piece = (content: string, index: number): string =>
    `data: ${JSON.stringify({ choices: [{ index, delta: { content } }] })}\n\n`;
  const frames = [...first.map((text) => piece(text, 0)), ...second.map((text) => piece(text, 1)), 'data: [DONE]\n\n'];
  for (const mode of HOLDING) {
    const passed = await passThrough(inChunks(Buffer.from(frames.join('')), [300], 0), {
      mode,
      ...RESPONSES,
      mask: true,
    });
    assert.ok(!passed.blocked);
    assert.ok(KEY_LINES.every((line) => !passed.body.includes(line.slice(0, 9))));
    for (const frame of second.map((text) => piece(text, 1))) assert.ok(passed.body.includes(frame));
  }
});

test('a value whose letters are escapes inside of a string is replaced with its escapes', async () => {
  const escaped = [...SECRET].map((char, at) =>
    at % 3 === 0 ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char,
  );
  for (const wire of WIRES_OF.filter(({ name }) => name.includes('of a tool'))) {
    for (const mode of HOLDING) {
      const pieces = ['{"note":"', prose(80), ' ', ...escaped, ' \\/ so \\"it\\" is"}'];
      const bytes = Buffer.from([...pieces.map(wire.piece), ...wire.end].join(''));
      const passed = await passThrough(inChunks(bytes, [200], 0), { ...wire, mode, mask: true });
      assert.ok(!passed.blocked, passed.findings.join());
      const said = JSON.parse(`"${textOf(wire, passed.body)}"`) as string;
      const note = (JSON.parse(said) as { note: string }).note;
      assert.equal(note, `${prose(80)} ${LABEL} / so "it" is`);
    }
  }
});

test('a canary and a secret of the prompt are replaced where they stand in plain, in any case', async () => {
  const canary = 'the blue heron stands in reeds';
  const kept = ['Zx81', 'qLm09', 'TbV7', 'wRk42', 'Yp'].join('');
  const forbidden = { canaries: [canary], secrets: [kept] };
  for (const wire of KNOWN) {
    for (const mode of HOLDING) {
      const said = `${prose(150)} so The Blue HERON stands in reeds, İ, and "${kept}", and the blue sky. `;
      for (const size of [1, 6, 40]) {
        const bytes = Buffer.from(
          [...said.match(new RegExp(`[^]{1,${size}}`, 'gu'))!.map(wire.piece), ...wire.end].join(''),
        );
        const passed = await passThrough(inChunks(bytes, [150], 0), { ...wire, mode, mask: true, forbidden });
        assert.ok(!passed.blocked, `${wire.name} ${mode} ${size} ${passed.findings.join()}`);
        assert.equal(
          textOf(wire, passed.body),
          JSON.stringify(
            `${prose(150)} so [REDACTED:canary], İ, and "[REDACTED:secret-of-the-system-prompt]", and the blue sky. `,
          ).slice(1, -1),
        );
      }
    }
  }
  const encoded = Buffer.from(`say ${canary} now`).toString('base64');
  const bytes = Buffer.from([prose(100), ' ', encoded, ' end'].map(OPENAI.piece).join('') + 'data: [DONE]\n\n');
  const passed = await passThrough([bytes], { mode: 'buffered', ...RESPONSES, mask: true, forbidden });
  assert.ok(passed.blocked, 'what has no place of its own is blocked');
});

test('a value is replaced whatever the key is named under which it stands', async () => {
  for (const key of ['small', 'grown', 'said']) {
    const bytes = Buffer.from(`${JSON.stringify({ [key]: `${prose(60)} ${SECRET} end` })}\n`);
    const passed = await passThrough([bytes], { mode: 'full', path: '/api/chat', kind: 'ndjson', mask: true });
    assert.ok(!passed.blocked, `${key}: ${passed.findings.join()}`);
    assert.equal(passed.body, bytes.toString().replace(SECRET, LABEL));
  }
});

test('a fraction with the digits of a card stays, and the card beside it is replaced', async () => {
  const said = (number: string): string => `{"p":"0.4929838706356485 of ${number} end"}\n`;
  const bytes = Buffer.from(said('4242424242424242'));
  const passed = await passThrough([bytes], { mode: 'full', path: '/api/chat', kind: 'ndjson', mask: true });
  assert.ok(!passed.blocked, passed.findings.join());
  assert.equal(passed.body, said('[REDACTED:payment-card-number]'));
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
  after(() => upstream.close());
  const guard = await startGuard({
    upstreams: { llm: { url: upstream.url } },
    config: { scanner: { response: { enabled: true, buffer_chars: 64, mask: true } } },
  });
  after(() => guard.close());
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

test('a value that was found is not let go where masking it takes too long', () => {
  const wire = WIRES_OF[0]!;
  const bytes = Buffer.from([`It is ${SECRET} so`].map(wire.piece).concat(wire.end).join(''));
  const whole: StreamJob = {
    path: wire.path,
    kind: wire.kind,
    bytes,
    ends: [bytes.length],
    last: true,
    state: FRESH_STREAM,
    maskFrom: 0,
    maskedSignatures: [],
    forbidden: null,
  };
  let looks = 0;
  const first = scanStream(rules(), whole, () => (looks += 1) < 0);
  assert.ok(first.kind === 'step' && first.findings.length > 0 && first.patches.length === 0);
  const maskedSignatures = first.findings.map(({ signature }) => signature);
  for (let patience = looks; ; patience += 1) {
    let left = patience;
    const outcome = scanStream(rules(), { ...whole, maskedSignatures }, () => (left -= 1) < 0);
    assert.ok(outcome.kind === 'step');
    if (outcome.patches.length > 0) {
      assert.ok(patience > looks);
      break;
    }
    assert.deepEqual(outcome.findings, first.findings);
  }
});
