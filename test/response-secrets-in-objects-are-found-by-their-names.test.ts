/** What is a secret in the text of a tool's arguments is one in an object of them, with its name beside it and no quotes. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { inChunks, passThrough } from './fixtures/streams/through.ts';
import { readableBody } from './helpers/extracted.ts';
import { startPair } from './helpers/pair.ts';
import { ask, post } from './helpers/raw-client.ts';
import { json } from './helpers/recorder.ts';

const CARD = 4012888888881881;
const MESSAGES = '/llm-a/v1/messages';
const GEMINI = '/v1beta/models/gemini-pro:streamGenerateContent';

const usedTool = (input: unknown) => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'a', name: 'pay', input }],
});
const called = (args: unknown) => ({ candidates: [{ content: { parts: [{ functionCall: { name: 'pay', args } }] } }] });

const ANSWERS: Readonly<Record<string, readonly [input: unknown, status: number]>> = {
  'as a value': [{ amount: 12, card: CARD }, 502],
  'in a list': [{ cards: [1, CARD] }, 502],
  'as the last thing of a deep object': [{ a: { b: { c: [{ number: CARD }] } } }, 502],
  'with a wrong check digit': [{ card: CARD + 1 }, 200],
  'with a point in it': [{ weight: 4012888888881.881 }, 200],
  'as a time in milliseconds': [{ at: 1764437000123 }, 200],
};

test('a card number in the arguments of a tool is found without quotation marks, too', async (t) => {
  let input: unknown = null;
  const { guard } = await startPair(t, () => json(usedTool(input)), {
    config: { scanner: { response: { enabled: true } } },
  });
  for (const [name, [sent, status]] of Object.entries(ANSWERS)) {
    input = sent;
    assert.equal((await ask(guard.port, post(MESSAGES, '{}'))).status, status, name);
  }
});

test('where values are masked, a number that cannot be is blocked', async (t) => {
  const { guard } = await startPair(t, () => json(usedTool({ card: CARD })), {
    config: { scanner: { response: { enabled: true, mask: true } } },
  });
  assert.equal((await ask(guard.port, post(MESSAGES, '{}'))).status, 502);
});

test('a card number in the arguments of a streamed call is not sent on', async () => {
  const frames = [called({ amount: 12 }), called({ card: CARD, amount: 12 }), called({ amount: 13 })];
  const sent = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
  for (const mode of ['buffered', 'full', 'passthrough'] as const) {
    const passed = await passThrough(inChunks(Buffer.from(sent), [60]), { mode, path: GEMINI, kind: 'sse' });
    assert.equal(passed.blocked, true, mode);
    if (mode !== 'passthrough') assert.ok(!passed.body.includes(String(CARD)), mode);
  }
});

/** Found in the text of arguments by the word before it, so it has to be in an object of them. */
const NAMED: Readonly<Record<string, unknown>> = {
  aws_secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzkT9LmQvXe',
  client_secret: '9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c',
  bsn: 111222333,
  social_security_number: '536227841',
};

test('a secret that is known by its name is found under it', async (t) => {
  let input: unknown = null;
  const { guard } = await startPair(t, () => json(usedTool(input)), {
    config: { scanner: { response: { enabled: true } } },
  });
  for (const [name, value] of Object.entries(NAMED)) {
    for (const sent of [{ [name]: value }, { deep: [{ [name]: value }] }, { [name]: [value] }]) {
      input = sent;
      assert.equal((await ask(guard.port, post(MESSAGES, '{}'))).status, 502, JSON.stringify(sent));
    }
    input = { checksum: value };
    assert.equal((await ask(guard.port, post(MESSAGES, '{}'))).status, 200, `${name} without its name`);
  }
});

test('what a provider says beside the words of the model is not taken for a secret by its name', async (t) => {
  const { guard } = await startPair(t, () => json({ ...usedTool({ city: 'Bern' }), ...NAMED, total_duration: CARD }), {
    config: { scanner: { response: { enabled: true } } },
  });
  assert.equal((await ask(guard.port, post(MESSAGES, '{}'))).status, 200);
});

test('a named secret in the arguments of a streamed call is not sent on', async () => {
  const frames = [called({ bucket: 'a' }), called(NAMED), called({ amount: 13 })];
  const sent = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
  const passed = await passThrough(inChunks(Buffer.from(sent), [60]), { mode: 'buffered', path: GEMINI, kind: 'sse' });
  assert.equal(passed.blocked, true);
  assert.ok(!passed.body.includes('wJalr'));
});

test('a secret in pieces that are long enough to be named is still put together', async () => {
  const token = `github_pat_${'11ABCDEFG0'.repeat(2)}aB_${'3xY7kQ9mZ2'.repeat(6).slice(0, 58)}1`;
  const pieces = token.match(/.{1,30}/g)!;
  const frames = pieces.map((stringValue) => ({
    candidates: [{ content: { parts: [{ functionCall: { partialArgs: [{ jsonPath: '$.a', stringValue }] } }] } }],
  }));
  const sent = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
  const passed = await passThrough(inChunks(Buffer.from(sent), [90]), { mode: 'buffered', path: GEMINI, kind: 'sse' });
  assert.equal(passed.blocked, true);
});

test('a number is read whole wherever the window of the reader ends in it', () => {
  for (let gap = 4070; gap <= 4096; gap += 1) {
    const body = `{"input":${' '.repeat(gap)}{"card":${CARD}}}`;
    const { passages } = readableBody(body, { direction: 'response', path: '/v1/messages' });
    assert.ok(
      passages.some(({ text }) => text.includes(String(CARD))),
      String(gap),
    );
  }
});
