/** A stream that is sent as one body is read as its client reads it: what its chunks say together is one text. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startGuard, type Guard } from './helpers/guard.ts';
import { startRecorder, type Answer, type Recorder } from './helpers/recorder.ts';

const CANARY = 'heron-of-the-seventh-lake';

let upstream: Recorder;
let guard: Guard;
let masking: Guard;
let answering: Answer = {};

before(async () => {
  upstream = await startRecorder(() => answering);
  const started = (mask: boolean): Promise<Guard> =>
    startGuard({
      upstreams: { llm: { url: upstream.url } },
      config: { scanner: { response: { enabled: true, mode: 'full', mask, canaries: [CANARY] } } },
    });
  guard = await started(false);
  masking = await started(true);
});

after(async () => {
  for (const each of [guard, masking]) await each.close();
  await upstream.close();
});

interface Sent {
  readonly path: string;
  readonly type: string;
  readonly body: string;
  readonly isPacked?: boolean;
}

async function through({ path, type, body, isPacked = false }: Sent, by = guard): Promise<Response> {
  answering = {
    headers: { 'content-type': type, ...(isPacked ? { 'content-encoding': 'gzip' } : {}) },
    body: isPacked ? gzipSync(body) : body,
  };
  return fetch(`${by.url}/llm${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"messages":[]}',
  });
}

/** How a text that comes in pieces is written, one way after the other, each as one body. */
type Ways = Readonly<Record<string, (pieces: readonly string[]) => Sent>>;

const GEMINI = '/v1beta/models/gemini-2.5-pro:streamGenerateContent';
const geminiChunk = (text: string, index = 0): object => ({
  candidates: [{ content: { parts: [{ text }], role: 'model' }, index }],
  responseId: 'aB3dE5',
});
/** As Google writes it. */
const list = (chunks: readonly object[]): string =>
  `[${chunks.map((chunk) => JSON.stringify(chunk, null, 2)).join('\n,\r\n')}\n]\n`;
const lines = (chunks: readonly object[]): string => chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join('');
const ollama = (message: object): object => ({
  model: 'llama3',
  message: { role: 'assistant', ...message },
  done: false,
});
const ollamaLines = (pieces: readonly string[]): string =>
  lines([...pieces.map((content) => ollama({ content })), { model: 'llama3', message: { content: '' }, done: true }]);

const NDJSON = 'application/x-ndjson';
const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';

const WAYS: Ways = {
  'a list of chunks': (pieces) => ({
    path: GEMINI,
    type: `${JSON_TYPE}; charset=UTF-8`,
    body: list(pieces.map((piece) => geminiChunk(piece))),
  }),
  'a list of chunks with one identity': (pieces) => ({
    path: '/v1/chat/completions',
    type: JSON_TYPE,
    body: list(pieces.map((content) => ({ id: 'chatcmpl-1', choices: [{ index: 0, delta: { content } }] }))),
  }),
  'lines that are compressed': (pieces) => ({
    path: '/api/chat',
    type: NDJSON,
    body: ollamaLines(pieces),
    isPacked: true,
  }),
  'lines with thoughts in between': (pieces) => ({
    path: '/api/chat',
    type: NDJSON,
    body: lines(pieces.flatMap((content) => [ollama({ content }), ollama({ content: '', thinking: ' hm' })])),
    isPacked: true,
  }),
  'lines that are called JSON': (pieces) => ({ path: '/api/chat', type: JSON_TYPE, body: ollamaLines(pieces) }),
  'lines that are called text': (pieces) => ({ path: '/api/chat', type: 'text/plain', body: ollamaLines(pieces) }),
  'compressed events without JSON': (pieces) => ({
    path: '/v1/chat/completions',
    type: EVENTS,
    body: pieces.map((piece) => `data: ${piece}\n\n`).join(''),
    isPacked: true,
  }),
};

const SPLIT: Readonly<Record<string, readonly string[]>> = {
  'a card number': ['The', ' card', ' is', ' 453', '9 1', '488', ' 034', '3 64', '67', '.'],
  'an IBAN': ['Pay to DE89 37', '04 0044 053', '2 0130 00', ' please.'],
  'an AWS key': ['The key is', ' AKIA', 'Z3MG', 'Q5WUV', '7XN2', 'KDL', ', ok'],
  'a canary': ['I saw the heron', '-of-the', '-seven', 'th-lake', ' there.'],
};

for (const [way, sent] of Object.entries(WAYS)) {
  test(`what is split over chunks is found in ${way}`, async () => {
    for (const [what, pieces] of Object.entries(SPLIT)) {
      assert.equal((await through(sent(pieces))).status, 502, what);
      assert.equal((await through(sent(pieces), masking)).status, 502, `${what}, masked`);
    }
  });

  test(`clean text in ${way} arrives as it was sent`, async () => {
    const whole = sent(['The or', 'der 4539', ' is', ' paid,', ' 12 of', ' 24.']);
    const answer = await through(whole);
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), whole.body);
  });
}

test('answers that are told at once are each read as one, however they take turns', async () => {
  const words = SPLIT['a card number']!;
  const chunks = words.flatMap((piece) => [geminiChunk(piece, 1), geminiChunk(' word', 0)]);
  assert.equal((await through({ path: GEMINI, type: JSON_TYPE, body: list(chunks) })).status, 502);
  const canary = SPLIT['a canary']!.flatMap((piece) => [geminiChunk(piece, 1), geminiChunk(' word', 0)]);
  assert.equal((await through({ path: GEMINI, type: JSON_TYPE, body: list(canary) })).status, 502);
});

/** Digits of a card, if they were one number. */
const [FIRST, REST] = ['45391488', '03436467'] as const;

test('texts that are not chunks of one answer are not put together', async () => {
  assert.equal((await through(WAYS['a list of chunks']!([FIRST, REST]))).status, 502);
  const choice = (index: number, content: string): object => ({ index, delta: { content } });
  const message = (content: string): object => ({ message: { role: 'assistant', content } });
  const apart: Readonly<Record<string, Sent>> = {
    'two answers in a list of chunks': {
      path: GEMINI,
      type: JSON_TYPE,
      body: list([geminiChunk(FIRST, 0), geminiChunk(REST, 1)]),
    },
    'two answers in lines': {
      path: '/v1/chat/completions',
      type: JSON_TYPE,
      body: lines([{ choices: [choice(0, FIRST)] }, { choices: [choice(1, REST)] }]),
    },
    'answers of one document': {
      path: '/v1/chat/completions',
      type: JSON_TYPE,
      body: JSON.stringify({ choices: [message(FIRST), message(REST)] }),
    },
    'records of one document': {
      path: '/v1/threads/t/messages',
      type: JSON_TYPE,
      body: JSON.stringify({ data: [{ content: [{ text: FIRST }] }, { content: [{ text: REST }] }] }),
    },
    'records of a list': {
      path: '/v1/threads/t/messages',
      type: JSON_TYPE,
      body: list([
        { id: 'msg_1', content: FIRST },
        { id: 'msg_2', content: REST },
      ]),
    },
    'small values of a list': {
      path: '/v1/threads/t/messages',
      type: JSON_TYPE,
      body: list([{ amount: FIRST }, { amount: REST }]),
    },
    'results of a batch': {
      path: '/v1/messages/batches/b/results',
      type: JSON_TYPE,
      body: lines([FIRST, REST].map((text, at) => ({ custom_id: `c${at}`, result: { message: { content: text } } }))),
    },
    'lines of a file': {
      path: '/v1/files/f/content',
      type: 'application/octet-stream',
      body: lines([{ messages: [{ content: FIRST }] }, { messages: [{ content: REST }] }]),
    },
  };
  for (const [what, sent] of Object.entries(apart)) {
    const answer = await through(sent);
    assert.equal(answer.status, 200, what);
    assert.equal(await answer.text(), sent.body, what);
  }
});

test('what is masked in one chunk is masked there', async () => {
  const pieces = ['The card is 4539 1488 0343 6467', ' as you', ' know.'];
  const answer = await through(WAYS['a list of chunks']!(pieces), masking);
  assert.equal(answer.status, 200);
  assert.doesNotMatch(await answer.text(), /4539|6467/);
});
