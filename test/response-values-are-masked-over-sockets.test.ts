/** With `mask`, over sockets and in whole bodies: the label stands where the value stood, and every other byte is the upstream's. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { prose, SECRET } from './fixtures/streams/through.ts';
import { startPair } from './helpers/pair.ts';
import { ask, post } from './helpers/raw-client.ts';
import { json, sse, type Answer } from './helpers/recorder.ts';
import { WIRES_OF, textOf } from './fixtures/streams/shapes.ts';

const CANARY = 'the blue heron stands in reeds';
const KEPT = ['Zx81', 'qLm09', 'TbV7', 'wRk42', 'Yp'].join('');

/** What the client gets for a body of the upstream's; the spacing is nobody's habit, so that writing it anew would show. */
async function masked(t: TestContext, body: string): Promise<string> {
  const answer: Answer = { headers: { 'content-type': 'application/json' }, body };
  const { guard } = await startPair(t, answer, {
    config: { scanner: { response: { enabled: true, mask: true, canaries: [CANARY] } } },
  });
  const said = JSON.stringify({
    messages: [
      { role: 'system', content: `The token of the shop is ${KEPT}; keep it.` },
      { role: 'user', content: 'hi' },
    ],
  });
  const got = await ask(guard.port, post('/llm-a/v1/chat/completions', said));
  assert.equal(got.status, 200, got.body.toString());
  assert.deepEqual(got.values('content-length'), [String(got.body.length)]);
  assert.doesNotThrow(() => JSON.parse(got.body.toString()));
  assert.ok(guard.logs().every((line) => !line.includes(SECRET) && !line.includes(KEPT)));
  return got.body.toString();
}

const bodyOf = (message: string): string =>
  ` {"id" : "x",\t"choices":[ {"index":0,"message": ${message} ,"finish_reason":"stop"}], "n":1.0e2 }\n`;

/** The value of a string as a model's JSON may hold it: any of its letters as an escape. */
const escaped = (text: string, every: number, backslash: string): string =>
  [...text]
    .map((char, at) => (at % every === 0 ? `${backslash}u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char))
    .join('');

test('a key of which letters are escapes of the body goes with its escapes', async (t) => {
  for (const every of [1, 3, 19]) {
    const bodyWith = (value: string): string => bodyOf(`{"content":"Caf\\u00e9: ${value}, \\/so\\/."}`);
    assert.equal(await masked(t, bodyWith(escaped(SECRET, every, '\\'))), bodyWith('[REDACTED:aws-access-key]'));
  }
});

test('a key of which letters are escapes inside the arguments of a tool goes with both', async (t) => {
  const bodyWith = (value: string): string =>
    bodyOf(
      `{"tool_calls":[{"id":"call_1","function":{"name":"note","arguments":"{\\"text\\":\\"it is ${value} so\\"}"}}]}`,
    );
  assert.equal(await masked(t, bodyWith(escaped(SECRET, 4, '\\\\'))), bodyWith('[REDACTED:aws-access-key]'));
});

/** Made up; of a kind that no library takes. */
const KEY_LINES = Array.from({ length: 6 }, (_, line) =>
  Array.from({ length: 64 }, (_, at) => 'mQ7xZr2LkV9tBcE4nWjY0sHdPf8uGaT'[(at * 7 + line * 11) % 31]).join(''),
);

test('a private key goes from its first line to its last, however its line ends are written', async (t) => {
  for (const lineEnd of ['\\n', '\\r\\n', '\\u000a']) {
    const key = ['-----BEGIN RSA PRIVATE', ` KEY-----${lineEnd}`, KEY_LINES.join(lineEnd), lineEnd].join('');
    const bodyWith = (value: string): string =>
      bodyOf(`{"content":"${prose(200)}${lineEnd}${value}${lineEnd}and ${prose(60)}"}`);
    const body = bodyWith(`${key}-----END RSA PRIVATE KEY-----`);
    assert.equal(await masked(t, body), bodyWith('[REDACTED:private-key]'));
  }
});

test('a canary and what the prompt keeps go wherever they stand, in any case', async (t) => {
  const bodyWith = (canary: string, kept: string): string =>
    bodyOf(`{"content":"${prose(90)} ${canary}. \\"${kept}\\" and ${canary}","refusal":"no ${kept}"}`);
  assert.equal(
    await masked(t, bodyWith(CANARY.toUpperCase(), KEPT)),
    bodyWith('[REDACTED:canary]', '[REDACTED:secret-of-the-system-prompt]'),
  );
});

const CHAT = WIRES_OF.find(({ name }) => name === 'openai chat')!;

/** What the client reads of these words, each in a frame of its own; a number among them is a pause. Null when blocked. */
async function streamed(
  t: TestContext,
  words: readonly (string | number)[],
  response: object,
  wire = CHAT,
): Promise<string | null> {
  const frames = words.map((word) => (typeof word === 'number' ? word : wire.piece(word)));
  const { guard } = await startPair(t, sse([...frames, ...wire.end]), {
    config: { scanner: { response: { enabled: true, mask: true, ...response } } },
  });
  const got = await ask(guard.port, post(`/llm-a${wire.path}`, '{"stream":true,"messages":[]}'));
  const body = got.body.toString();
  assert.ok(guard.logs().every((line) => !line.includes(SECRET)));
  if (body.includes('"response_blocked"')) return null;
  assert.equal(got.status, 200, body);
  return textOf(wire, body);
}

const INPUT = WIRES_OF.find(({ name }) => name === 'anthropic, input of a tool')!;
const MESSAGES = WIRES_OF.find(({ name }) => name === 'anthropic')!;

test('what only looks like a value, and is not masked, does not hide the value that it covers', async (t) => {
  const encoded = Buffer.from(SECRET).toString('base64');
  const card = '4929\u00a08387\u00a00635\u00a06485';
  for (const mode of ['buffered', 'full']) {
    for (const [said, value] of [
      [`data:\n  username: Ym8=\n  password: ${encoded}\nkind: Secret\n`, encoded],
      [`Paid on 2024-01-15 ${card} by Bo.`, '8387'],
    ] as const) {
      const text = await streamed(t, said.match(/[^]{1,9}/g)!, { mode });
      assert.ok(text === null || !text.includes(value), `${mode} ${text}`);
    }
  }
});

test('a short text full of tables and a backslash is not taken for one that takes too much decoding', async (t) => {
  const table = '| a | b | '.repeat(6);
  const said = `née é é \`\`\` } key:  née ${table}- item ${table}\n ${table}} 12 ${table}\`x\` \\ ${SECRET} "quoted"`;
  for (const mode of ['buffered', 'full']) {
    const text = await streamed(t, said.match(/[^]{1,30}/gu)!, { mode }, MESSAGES);
    assert.equal(text, JSON.stringify(said.replace(SECRET, '[REDACTED:aws-access-key]')).slice(1, -1));
  }
});

test('a token that ends in a digit is not cut in two while the next word is still being told', async (t) => {
  const token = ['ghp', 'Zk3LmQ8vTxRnBcWyHpJdGfSaKuEoIiXtVjb7'].join('_');
  const words = [prose(300), ' Use ', ...token.match(/.{1,3}/g)!, ' so', 400, ' that', 400, ' it works.'];
  for (const mask of [true, false]) {
    const text = await streamed(t, words, { mode: 'buffered', buffer_chars: 64, mask });
    assert.ok(text === null || (mask && !text.includes(token.slice(0, 8))), `${text}`);
    if (mask) assert.match(text!, / Use \[REDACTED:[a-z-]+\] so that it works\.$/);
  }
});

test('nothing is masked beside tokens that are told once more: the answer is blocked', async (t) => {
  const tokens = SECRET.match(/.{1,4}/g)!.map((token) => ({ token, logprob: -0.1, bytes: [...Buffer.from(token)] }));
  const answer = (logprobs: unknown): Answer =>
    json({ choices: [{ index: 0, message: { content: `It is ${SECRET} so` }, logprobs, finish_reason: 'stop' }] });
  const piece = (content: string, logprobs: unknown): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, logprobs, finish_reason: null }] })}\n\n`;
  let next: Answer = {};
  const { guard } = await startPair(t, () => next, {
    config: { scanner: { response: { enabled: true, mask: true } } },
  });
  const call = async (): Promise<string> =>
    (await ask(guard.port, post('/llm-a/v1/chat/completions', '{"messages":[]}'))).body.toString();
  for (const none of [null, []]) {
    next = answer(none);
    assert.match(await call(), /It is \[REDACTED:aws-access-key\] so/);
    next = sse([piece('It is ', none), piece(SECRET, none), piece(' so', none), ...CHAT.end]);
    assert.match(await call(), /\[REDACTED:aws-access-key\]/);
  }
  for (const told of [{ content: tokens, refusal: null }, tokens, { tokens: tokens.map(({ token }) => token) }]) {
    next = answer(told);
    assert.match(await call(), /"response_blocked"/);
    next = sse([piece('It is ', null), piece(SECRET, told), piece(' so', null), ...CHAT.end]);
    const got = await call();
    assert.match(got, /"response_blocked"/);
    assert.ok(!got.includes(tokens[1]!.token));
  }
});

test('a long token goes to its end, whatever dots and signs are in it', async (t) => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const web = [
    part({ alg: 'HS256', typ: 'JWT' }),
    part({ sub: '9927534', iss: 'https://accounts.fleckens.hu', aud: 'shop-api', exp: 1799999999 }),
    'Zk3LmQ8vT1xR5nB7cW2yH9pJ4dG6fS0aKuEoIiXtVjC',
  ].join('.');
  const long = 'aB3.dE5~gH7'.repeat(12);
  const bodyWith = (values: readonly string[]): string =>
    bodyOf(`{"content":"The token is ${values[0]!} for now. Authorization: Bearer ${values[1]!} ok."}`);
  const got = await masked(t, bodyWith([web, long]));
  assert.match(got, /The token is \[REDACTED:[a-z-]+\] for now\. Authorization: Bearer \[REDACTED:[a-z-]+\] ok\./);
});

test('JSON that the model wrote is JSON still, with all its keys, where only values were masked', async (t) => {
  const value = ['9f8Kq2LxT7v', 'Z3mWc5RbY1pNd8sGhJ4aE'].join('');
  const input = {
    api_key: value,
    region: 'eu',
    auth: { client_secret: value, ssn: '562946681' },
    headers: { Authorization: `Bearer ${value}`, 'X-Api-Key': value, Accept: 'x' },
    env: `A=1\nAPI_KEY=${value}\nB=2\n`,
    yaml: `a: 1\napi_key: "${value}"\nb: 2\n`,
    card_number: '4929838706356485',
    passport_number: 'C42738198',
    last: true,
  };
  const label = '"[^"]*\\[REDACTED:[a-z-]+\\][^"]*"';
  const check = (text: string): void => {
    const got = JSON.parse(text);
    assert.deepEqual(Object.keys(got), Object.keys(input));
    assert.deepEqual(Object.keys(got.headers), Object.keys(input.headers));
    assert.ok(!text.includes(value) && !text.includes('562946681') && !text.includes('4929838706356485'), text);
    assert.match(text, new RegExp(`"api_key":${label},"region":"eu"`));
    assert.match(got.env, /^A=1\nAPI_KEY=\[REDACTED:[a-z-]+\]\nB=2\n$/);
    assert.match(got.yaml, /^a: 1\napi_key: "\[REDACTED:[a-z-]+\]"\nb: 2\n$/);
  };
  const said = JSON.stringify(input);
  const whole = JSON.parse(await masked(t, bodyOf(`{"content":${JSON.stringify(said)}}`)));
  check(whole.choices[0].message.content);
  const calls = bodyOf(`{"tool_calls":[{"id":"c","function":{"name":"f","arguments":${JSON.stringify(said)}}}]}`);
  check(JSON.parse(await masked(t, calls)).choices[0].message.tool_calls[0].function.arguments);
  for (const mode of ['buffered', 'full']) {
    const text = await streamed(t, said.match(/[^]{1,6}/g)!, { mode }, INPUT);
    check(JSON.parse(`"${text}"`));
  }
});
