/** With `mask`, over sockets: of a password, a number or a key nothing arrives beside the label, wherever it ends. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { WIRES_OF, textOf, type WireOf } from './fixtures/streams/shapes.ts';
import { prose } from './fixtures/streams/through.ts';
import { startGuard, type Guard } from './helpers/guard.ts';
import { ask, post } from './helpers/raw-client.ts';
import { sse, startRecorder, type Answer, type Recorder } from './helpers/recorder.ts';

let upstream: Recorder;
let answering: Answer = {};
const guards: Partial<Record<'buffered' | 'full', Guard>> = {};

before(async () => {
  upstream = await startRecorder(() => answering);
  for (const mode of ['buffered', 'full'] as const)
    guards[mode] = await startGuard({
      upstreams: { 'llm-a': { url: upstream.url } },
      config: { scanner: { response: { enabled: true, mask: true, mode, buffer_chars: 64 } } },
    });
});

after(async () => {
  await guards.buffered?.close();
  await guards.full?.close();
  await upstream.close();
});

/** What the client reads as the content of a message, in an answer that is not streamed. */
async function masked(content: unknown): Promise<unknown> {
  const body = JSON.stringify({
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  });
  answering = { headers: { 'content-type': 'application/json' }, body };
  const got = await ask(guards.full!.port, post('/llm-a/v1/chat/completions', '{"messages":[]}'));
  assert.equal(got.status, 200, got.body.toString());
  return JSON.parse(got.body.toString()).choices[0].message.content;
}

async function streamed(
  mode: 'buffered' | 'full',
  wire: WireOf,
  frames: readonly (string | number)[],
): Promise<string> {
  answering = sse([...frames, ...wire.end]);
  const got = await ask(guards[mode]!.port, post(`/llm-a${wire.path}`, '{"stream":true,"messages":[]}'));
  return got.body.toString();
}

const [CHAT, MESSAGES, GEMINI, INPUT] = ['openai chat', 'anthropic', 'gemini', 'anthropic, input of a tool'].map(
  (wanted) => WIRES_OF.find(({ name }) => name === wanted)!,
) as [WireOf, WireOf, WireOf, WireOf];

/** Made up; each with a sign that people put into passwords, and at which words and patterns end. */
const PASSWORDS = ['hW7q,kQ9zLp2', 'hW7qkQ9;zLp2', 'hW7q!kQ9zLp#2', "hW7q'kQ9zLp2", 'hW7qkQ(9z)Lp2', 'hW7qkQ@9/zL,p2'];
const LOGINS: Readonly<Record<string, (password: string) => string>> = {
  curl: (password) => `curl -u bo:${password} https://h.io`,
  'an address': (password) => `see https://bo:${password}@h.io/x and`,
  'a connection string': (password) => `DB=postgres://bo:${password}@h.io/x`,
  sshpass: (password) => `sshpass -p ${password} ssh bo@h.io`,
  mysql: (password) => `mysql -u root -p${password} shop`,
  'a login to a registry': (password) => `docker login -u bo --password ${password} h.io`,
  'a .netrc file': (password) => `machine h.io login bo password ${password}\n`,
  'a .pgpass file': (password) => `db.h.io:5432:shop:bo:${password}\n`,
  settings: (password) => `Server=h;Database=d;User Id=sa;Password=${password};Encrypt=1`,
};

/** Three letters of a password in a row are more than chance. */
function heldOf(password: string, text: string): string[] {
  const parts = Array.from({ length: password.length - 2 }, (_, at) => password.slice(at, at + 3));
  return parts.filter((part) => text.includes(part));
}

test('a password goes to its last letter, whatever signs are in it', async () => {
  for (const [name, login] of Object.entries(LOGINS)) {
    const got = String(await masked(PASSWORDS.map(login).join(' \n ')));
    for (const password of PASSWORDS) assert.deepEqual(heldOf(password, got), [], `${name}: ${got}`);
  }
  assert.match(String(await masked('curl -u "bo:hW7q kQ9, zLp2" x')), /^curl -u "bo:\[REDACTED:[a-z-]+\]" x$/);
  assert.match(
    String(await masked('{"dsn":"Server=h;User Id=sa;Password=hW7q,kQ9z","port":1}')),
    /^\{"dsn":"Server=h;User Id=sa;Password=\[REDACTED:[a-z-]+\]","port":1\}$/,
  );
});

test('of a password that is still being told nothing goes out ahead of the label', async () => {
  const password = PASSWORDS[0]!;
  for (const [name, login] of Object.entries(LOGINS)) {
    const [before = '', behind = ''] = login(password).split(password);
    for (const wire of [CHAT, MESSAGES, GEMINI, INPUT]) {
      const escaped = (text: string): string => (wire === INPUT ? JSON.stringify(text).slice(1, -1) : text);
      const pieces = [`${prose(200)} ${before}`, 'hW7', 'q,', 60, 'kQ9', 'zLp2', `${behind} so`, ` ${prose(40)}`];
      const frames = pieces.map((piece) => (typeof piece === 'number' ? piece : wire.piece(escaped(piece))));
      const text = textOf(wire, await streamed('buffered', wire, frames));
      assert.deepEqual(heldOf(password, text), [], `${name}, ${wire.name}: ${text}`);
      assert.match(text, /\[REDACTED:[a-z-]+\]/);
    }
  }
});

test('a card number goes in whatever dashes, spaces and digits it is set', async () => {
  const cards = ['\u2010', '\u2011', '\u2013', '\u2014', '\u00a0', '\u2009', '\u200b'].map((sign) =>
    ['4929', '8387', '0635', '6485'].join(sign),
  );
  cards.push([...'4929838706356485'].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join(''));
  for (const card of cards) {
    const said = (value: string): string => `née: ${value}, so.`;
    assert.equal(await masked(said(card)), said('[REDACTED:payment-card-number]'));
    const pieces = [prose(200), ' née: ', card.slice(0, 10), 60, card.slice(10), ', so', ' it is.'];
    const frames = pieces.map((piece) => (typeof piece === 'number' ? piece : CHAT.piece(piece)));
    const text = textOf(CHAT, await streamed('buffered', CHAT, frames));
    assert.equal(text, `${prose(200)} née: [REDACTED:payment-card-number], so it is.`);
  }
});

/** Made up; of a kind that no library takes. */
const KEY_LINES = Array.from({ length: 6 }, (_, line) =>
  Array.from({ length: 64 }, (_, at) => 'mQ7xZr2LkV9tBcE4nWjY0sHdPf8uGaT'[(at * 7 + line * 11) % 31]).join(''),
);
const FIRST_LINE = ['-----BEGIN RSA PRIVATE', ' KEY-----'].join('');
const KEY = '[REDACTED:private-key]';

function assertNoKey(text: string): void {
  assert.ok(
    KEY_LINES.every((line) => !text.includes(line.slice(0, 9)) && !text.includes(line.slice(50))),
    text,
  );
}

test('a private key that breaks off goes to the end of its string, and what else the JSON says stays', async () => {
  const cut = [FIRST_LINE, ...KEY_LINES].join('\n');
  const flat = (key: string): string => JSON.stringify({ key, region: 'eu' });
  const nested = (key: string): string => JSON.stringify({ file: flat(key), last: true });
  for (const said of [flat, nested]) assert.equal(await masked(said(cut)), said(KEY));
  // Lines in quotes of their own, in YAML, and as a tool shows a file.
  assertNoKey(String(await masked(JSON.stringify([FIRST_LINE, ...KEY_LINES]))));
  assert.equal(
    await masked(`key: |\n            ${cut.replaceAll('\n', '\n            ')}`),
    `key: |\n            ${KEY}`,
  );
  for (const sign of ['\t', '\u2192', ': ']) {
    const rows = cut.split('\n').map((line, at) => `  ${at + 1}${sign}${line}`);
    assertNoKey(String(await masked(rows.join('\n'))));
  }
});

test('a private key that goes on in the next part of a message, or in the next chunk, goes there as well', async () => {
  const lines = (from: number, to: number): string => `${KEY_LINES.slice(from, to).join('\n')}\n`;
  const last = '-----END RSA PRIVATE KEY-----';
  const parts = [`${FIRST_LINE}\n${lines(0, 2)}`, lines(2, 4), `${lines(4, 6)}${last}\nand so on`];
  assert.deepEqual(await masked(parts.map((text) => ({ type: 'text', text }))), [
    { type: 'text', text: KEY },
    { type: 'text', text: '\n' },
    { type: 'text', text: '\nand so on' },
  ]);

  const chunks = parts.map((text) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }] }));
  answering = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(chunks) };
  const path = '/llm-a/v1beta/models/gemini-2.5-pro:streamGenerateContent';
  const got = (await ask(guards.full!.port, post(path, '{"contents":[]}'))).body.toString();
  assertNoKey(got);

  const event = (index: number, text: string): string =>
    `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })}\n\n`;
  for (const mode of ['buffered', 'full'] as const) {
    const frames = parts.flatMap((part, index) => part.match(/[^]{1,9}/g)!.map((text) => event(index, text)));
    const body = await streamed(mode, MESSAGES, frames);
    const text = [...body.matchAll(/"text":"([^"]*)"/g)].map(([, said]) => said).join('');
    assertNoKey(text);
    assert.ok(text.endsWith('\\nand so on'), text);
  }
});
