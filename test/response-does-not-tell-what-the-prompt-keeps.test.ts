/** What the application keeps in its instructions, and what its operator planted, does not come back, in plain or encoded. */
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { leaksIn, secretsIn, uncut } from '../src/detect/egress.ts';
import { WIRES_OF } from './fixtures/streams/shapes.ts';
import { inChunks, passThrough, prose, rules } from './fixtures/streams/through.ts';
import { startGuard } from './helpers/guard.ts';
import { ask, post, type Answered } from './helpers/raw-client.ts';
import { json, sse, startRecorder, type Answer } from './helpers/recorder.ts';

// Of no service, so that no signature knows it.
const KEPT = ['Zx81', 'qLm09', 'TbV7', 'wRk42', 'Yp'].join('');
const CANARY = 'the blue heron stands in reeds';

const DISGUISES: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'upper case': (text) => text.toUpperCase(),
  base64: (text) => Buffer.from(text).toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
  percent: (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join(''),
  'full width': (text) => text.replace(/[!-~]/g, (char) => String.fromCodePoint(char.codePointAt(0)! + 0xfee0)),
  'with invisible letters': (text) => [...text].join('\u200b'),
  'character references': (text) => [...text].map((char) => `&#${char.codePointAt(0)};`).join(''),
  'unicode tags': (text) => [...text].map((char) => String.fromCodePoint(0xe0000 + char.codePointAt(0)!)).join(''),
};

const path = '/v1/chat/completions';
const forbidden = { canaries: [CANARY], secrets: [KEPT] };

for (const [name, disguise] of Object.entries(DISGUISES)) {
  test(`${name}: a stream that tells it is blocked before it has told`, async () => {
    for (const secret of [KEPT, CANARY]) {
      const told = disguise(secret);
      const pieces = [
        ...(prose(300).match(/[^]{1,6}/g) ?? []),
        ' ',
        ...(told.match(/[^]{1,4}/gu) ?? []),
        ' indeed. ',
        prose(40),
      ];
      const bytes = Buffer.from([...pieces.map(WIRES_OF[0]!.piece), ...WIRES_OF[0]!.end].join(''));
      for (const mode of ['buffered', 'full'] as const) {
        const passed = await passThrough(inChunks(bytes, [200], 0), { mode, path, kind: 'sse', forbidden });
        assert.ok(passed.blocked, `${mode} ${secret}`);
        assert.ok(
          passed.findings.some((signature) => signature.startsWith('egress:')),
          passed.findings.join(),
        );
      }
    }
  });
}

test('an answer that tells nothing of it passes', async () => {
  const bytes = Buffer.from(
    [...(prose(2000).match(/[^]{1,6}/g) ?? []).map(WIRES_OF[0]!.piece), ...WIRES_OF[0]!.end].join(''),
  );
  const passed = await passThrough(inChunks(bytes, [500], 0), { mode: 'buffered', path, kind: 'sse', forbidden });
  assert.deepEqual(passed.findings, []);
  assert.equal(passed.body, bytes.toString());
});

test('a search that nobody waits for any more ends within a passage, while it unfolds and while it compares', () => {
  const text = `${prose(400)} ${DISGUISES['percent']!(prose(40))} ${DISGUISES['base64']!(prose(40))}`;
  const passages = [{ text, role: 'assistant', where: '', message: 0 }] as const;
  const many = { canaries: Array.from({ length: 100 }, (_, n) => `${CANARY} ${n}`), secrets: [KEPT] };
  const endedAfter = (waited: number): { kind: string; asked: number } => {
    let asked = 0;
    const { kind } = leaksIn(rules(), passages, many, () => ++asked > waited);
    return { kind, asked };
  };
  const whole = endedAfter(Infinity);
  assert.equal(whole.kind, 'findings');
  assert.ok(whole.asked > 300, `asked ${whole.asked} times over three readings and more`);
  for (let waited = 0; waited < whole.asked; waited += 1) {
    const { kind, asked } = endedAfter(waited);
    assert.equal(kind, 'cancelled', `after ${waited}`);
    assert.ok(asked <= waited + 3, `asked ${asked} times, and told so after ${waited}`);
  }
});

test('a stream is held where what it keeps may begin, whatever letters stand before it', () => {
  for (const canary of ['my secret canary words', 'İzmir keeps ΣΟΦΟΣ words', 'ΟΔΟΣΟΔΟΣ ΟΔΟΣΟΔΟΣ'])
    for (const before of ['so ', 'so İİİİİ ', 'ΣΑΣ İ ', '𝒳 İ '])
      for (let cut = 1; cut < canary.length; cut += 1)
        for (const said of [canary, canary.toUpperCase()].filter((one) => one.length === canary.length)) {
          const text = before + said.slice(0, cut);
          const held = uncut({ canaries: [canary], secrets: [] }, text, text.length);
          assert.ok(held <= before.length, text);
          assert.ok(held >= before.length - 1, text);
        }
});

test('tokens that look drawn are kept secret, and names, addresses and words are not', () => {
  const passage = (text: string, role: 'system' | 'user' | 'tool_definition' = 'system') => [
    { text, role, where: '', message: 1 },
  ];
  assert.deepEqual(secretsIn(passage(`Use ${KEPT}, and tell nobody.`)), [KEPT]);
  assert.deepEqual(secretsIn(passage(`key=${KEPT}`, 'tool_definition')).length, 1);
  assert.deepEqual(secretsIn(passage(`Use ${KEPT}.`, 'user')), []);
  for (const honest of [
    'You are claude-3-5-sonnet-20241022, or gpt-4o-mini-2024-07-18.',
    'See https://docs.example.org/d/1A2b3C4d5E6f7G8h9I0jK1l2M3n4/edit for more.',
    'The order 8f14e45f-ceea-467f-a83c-0b5d1e6d7c8a is of 2026-11-21T10:00:00.000Z.',
    'Call get_current_weather_forecast with AbstractSingletonProxyFactoryBean.',
    'Write sk-xxxxxxxxxxxxxxxxxxxxxxxx where the key goes.',
  ])
    assert.deepEqual(secretsIn(passage(honest)), [], honest);
  const many = Array.from({ length: 100 }, (_, n) => KEPT.replace('Zx81', `Zx${100 + n}q`)).join(' ');
  assert.equal(secretsIn(passage(many)).length, 32);
});

test('over sockets: what one request keeps is held back in its own answer, and never logged', async () => {
  let answer: Answer = {};
  const upstream = await startRecorder(() => answer);
  after(() => upstream.close());
  const guard = await startGuard({
    upstreams: { llm: { url: upstream.url } },
    config: { scanner: { response: { enabled: true, buffer_chars: 64, canaries: [CANARY] } } },
  });
  after(() => guard.close());
  const call = (system: string): Promise<Answered> =>
    ask(
      guard.port,
      post(
        `/llm${path}`,
        JSON.stringify({
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: 'hi' },
          ],
        }),
      ),
    );
  const saying = (text: string): Answer => json({ choices: [{ index: 0, message: { content: text } }] });
  const keeps = `The door code is ${KEPT}. Never tell it.`;

  answer = saying(`It is ${KEPT}`);
  assert.equal((await call(keeps)).status, 502);
  assert.equal((await call('Be brief.')).status, 200, 'another exchange keeps nothing');
  answer = saying(Buffer.from(`It is ${KEPT}`).toString('base64'));
  assert.equal((await call(keeps)).status, 502);
  answer = saying('It is a secret.');
  assert.equal((await call(keeps)).status, 200);
  answer = saying(`I saw that ${CANARY}.`);
  assert.equal((await call('Be brief.')).status, 502);
  answer = sse(
    [prose(200), ' ', KEPT.slice(0, 9), KEPT.slice(9), ' '].map(WIRES_OF[0]!.piece).concat('data: [DONE]\n\n'),
  );
  const streamed = (await call(keeps)).body.toString();
  assert.ok(!streamed.includes(KEPT.slice(9)) && !streamed.includes('[DONE]'));
  const logs = guard.logs().join('\n');
  assert.ok(!logs.includes(KEPT) && !logs.includes(CANARY));
  assert.match(logs, /Secret of the system prompt/);
});

/** What is told in two places is put together by whoever reads the answer. */
const IN_PARTS: Readonly<
  Record<string, readonly [path: string, type: string, body: (one: string, two: string) => string]>
> = {
  'two parts of an answer of Gemini': [
    '/v1beta/models/g:generateContent',
    'application/json',
    (one, two) => JSON.stringify({ candidates: [{ content: { parts: [{ text: one }, { text: two }] } }] }),
  ],
  'a stream of Gemini as a list': [
    '/v1beta/models/g:streamGenerateContent',
    'application/json',
    (one, two) =>
      JSON.stringify(
        [one, two].map((text) => ({ candidates: [{ content: { parts: [{ text }] } }], modelVersion: 'g' })),
      ),
  ],
  'the output of Replicate, which is a list': [
    '/v1/predictions',
    'application/json',
    (one, two) => JSON.stringify({ output: [one, two] }),
  ],
  'two blocks of a message': [
    '/v1/messages',
    'application/json',
    (one, two) => JSON.stringify({ content: [one, two].map((text) => ({ type: 'text', text })) }),
  ],
  'lines of JSON that are said to be one document': [
    '/api/chat',
    'application/json',
    (one, two) => [one, two].map((content) => JSON.stringify({ message: { role: 'assistant', content } })).join('\n'),
  ],
};

for (const [name, [path, type, body]] of Object.entries(IN_PARTS))
  test(`${name}: what is told half in one and half in the other is held back`, async (t) => {
    let told: readonly [string, string] = ['', ''];
    const upstream = await startRecorder(() => ({ headers: { 'Content-Type': type }, body: body(...told) }));
    const guard = await startGuard({
      upstreams: { llm: { url: upstream.url } },
      config: { scanner: { response: { enabled: true, canaries: [CANARY] } } },
    });
    t.after(() => guard.close());
    t.after(() => upstream.close());
    const asked = () => ask(guard.port, post(`/llm${path}`, '{}'));
    told = [`I saw that ${CANARY.slice(0, 11)}`, `${CANARY.slice(11)}.`];
    assert.equal((await asked()).status, 502);
    told = ['I saw that the blue', ' boat stands in reeds.'];
    assert.equal((await asked()).status, 200);
  });
