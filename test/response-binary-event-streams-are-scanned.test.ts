/** Bedrock and SageMaker stream what a model says in binary messages, which are read like the events of others. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { crc32, gzipSync } from 'node:zlib';
import { inChunks, prose, SECRET } from './fixtures/streams/through.ts';
import { startGuard, type Guard } from './helpers/guard.ts';
import { startRecorder, type Answer, type Recorder } from './helpers/recorder.ts';

const sum = (bytes: Buffer): Buffer => {
  const four = Buffer.alloc(4);
  four.writeUInt32BE(crc32(bytes));
  return four;
};

function message(event: string, payload: string): Buffer {
  const headers = Buffer.concat(
    Object.entries({ ':event-type': event, ':content-type': 'application/json', ':message-type': 'event' }).flatMap(
      ([name, value]) => [
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7, 0, value.length]),
        Buffer.from(value),
      ],
    ),
  );
  const body = Buffer.from(payload);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(headers.length + body.length + 16);
  lengths.writeUInt32BE(headers.length, 4);
  const checked = Buffer.concat([lengths, sum(lengths), headers, body]);
  return Buffer.concat([checked, sum(checked)]);
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

/** As a client reads them, which checks all sums. */
function messagesIn(bytes: Buffer): Message[] {
  const messages: Message[] = [];
  for (let at = 0; at < bytes.length;) {
    const total = bytes.readUInt32BE(at);
    const headersEnd = at + 12 + bytes.readUInt32BE(at + 4);
    assert.ok(at + total <= bytes.length, 'a message is cut off');
    assert.equal(bytes.readUInt32BE(at + 8), crc32(bytes.subarray(at, at + 8)));
    assert.equal(bytes.readUInt32BE(at + total - 4), crc32(bytes.subarray(at, at + total - 4)));
    const headers: Record<string, string> = {};
    for (let from = at + 12; from < headersEnd;) {
      const name = bytes.toString('utf8', from + 1, from + 1 + bytes[from]!);
      const value = from + 1 + bytes[from]! + 3;
      const length = bytes.readUInt16BE(value - 2);
      headers[name] = bytes.toString('utf8', value, value + length);
      from = value + length;
    }
    messages.push({ headers, payload: bytes.toString('utf8', headersEnd, at + total - 4) });
    at += total;
  }
  return messages;
}

const wrapped = (event: unknown): Buffer =>
  message('chunk', JSON.stringify({ bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abcdefgh' }));
const plain = (event: string, payload: object): Buffer => message(event, JSON.stringify({ ...payload, p: 'abcd' }));

const MODEL = '/model/a.model-v1:0';
const CONVERSE = `${MODEL}/converse-stream`;
const INVOKE = `${MODEL}/invoke-with-response-stream`;

/** How each says a piece of text, and ends. */
const AGENT = '/agents/A1/agentAliases/B1/sessions/s-1/text';
const spoken = (text: string, more: object = {}): Buffer =>
  message('chunk', JSON.stringify({ ...more, bytes: Buffer.from(text).toString('base64') }));

const SHAPES: Readonly<Record<string, { path: string; says: (text: string) => Buffer; ends: Buffer }>> = {
  'a conversation': {
    path: CONVERSE,
    says: (text) => plain('contentBlockDelta', { contentBlockIndex: 0, delta: { text } }),
    ends: plain('messageStop', { stopReason: 'end_turn' }),
  },
  'what a model thinks': {
    path: CONVERSE,
    says: (text) => plain('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text } } }),
    ends: plain('messageStop', { stopReason: 'end_turn' }),
  },
  'the arguments of a tool': {
    path: CONVERSE,
    says: (text) => plain('contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: text } } }),
    ends: plain('messageStop', { stopReason: 'tool_use' }),
  },
  'events of Claude': {
    path: INVOKE,
    says: (text) => wrapped({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    ends: wrapped({ type: 'message_stop' }),
  },
  'events of Nova': {
    path: INVOKE,
    says: (text) => wrapped({ contentBlockDelta: { delta: { text }, contentBlockIndex: 0 } }),
    ends: wrapped({ messageStop: { stopReason: 'end_turn' } }),
  },
  'events of Llama': {
    path: INVOKE,
    says: (text) => wrapped({ generation: text, prompt_token_count: null, stop_reason: null }),
    ends: wrapped({ generation: '', prompt_token_count: null, stop_reason: 'stop' }),
  },
  'events of Titan': {
    path: INVOKE,
    says: (text) => wrapped({ outputText: text, index: 0, completionReason: null }),
    ends: wrapped({ outputText: '', index: 0, completionReason: 'FINISH' }),
  },
  'events of Mistral': {
    path: INVOKE,
    says: (text) => wrapped({ outputs: [{ text, stop_reason: null }] }),
    ends: wrapped({ outputs: [{ text: '', stop_reason: 'stop' }] }),
  },
  'the words of an agent': {
    path: AGENT,
    says: (text) => spoken(text),
    ends: plain('trace', { sessionId: 's-1' }),
  },
  'an agent without an alias': {
    path: '/agents/s-1',
    says: (text) => spoken(text, { attribution: { citations: [] } }),
    ends: plain('trace', { sessionId: 's-1' }),
  },
  'an answer from a knowledge base': {
    path: '/retrieveAndGenerateStream',
    says: (text) => plain('output', { text }),
    ends: plain('guardrail', { action: 'NONE' }),
  },
  'what a flow puts out': {
    path: '/flows/F1/aliases/A1',
    says: (text) =>
      plain('flowOutputEvent', { nodeName: 'Out', nodeType: 'FlowOutputNode', content: { document: text } }),
    ends: plain('flowCompletionEvent', { completionReason: 'SUCCESS' }),
  },
  'plain text of SageMaker': {
    path: '/endpoints/mine/invocations-response-stream',
    says: (text) => message('PayloadPart', text),
    ends: message('PayloadPart', '\n'),
  },
};

const words = (text: string): string[] => text.match(/\s*\S{1,7}/g)!;

let upstream: Recorder;
let answering: Answer = {};
const guards = new Map<string, Promise<Guard>>();

before(async () => {
  upstream = await startRecorder(() => answering);
});

after(async () => {
  for (const guard of guards.values()) await (await guard).close();
  await upstream.close();
});

function guardOf(mode: string, failure: string): Promise<Guard> {
  const key = `${mode} ${failure}`;
  const started =
    guards.get(key) ??
    startGuard({
      upstreams: { bedrock: { url: upstream.url } },
      config: {
        security: { failure_mode: failure },
        scanner: { response: { enabled: true, mode, buffer_chars: 64 } },
      },
    });
  guards.set(key, started);
  return started;
}

async function through(
  path: string,
  body: readonly Buffer[],
  { mode = 'buffered', failure = 'closed', coding = 'identity' } = {},
): Promise<{ guard: Guard; status: number; bytes: Buffer }> {
  const headers = { 'content-type': 'application/vnd.amazon.eventstream', 'content-encoding': coding };
  answering = { headers, body };
  const guard = await guardOf(mode, failure);
  const answer = await fetch(`${guard.url}/bedrock${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"messages":[]}',
  });
  return { guard, status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}

for (const [name, { path, says, ends }] of Object.entries(SHAPES)) {
  test(`${name}: a stream without a secret arrives byte for byte, however it was cut`, async () => {
    const body = Buffer.concat([...words(prose(600)).map(says), ends]);
    const chunks = inChunks(body, [1, 3, 40, 700]).filter((chunk) => typeof chunk !== 'number');
    const { status, bytes } = await through(path, chunks);
    assert.equal(status, 200);
    assert.ok(bytes.equals(body));
  });

  test(`${name}: a secret that is split over messages is not delivered, and the client is told`, async () => {
    const secret = `. The key is ${SECRET}. `;
    const body = Buffer.concat([...words(prose(600) + secret + prose(300)).map(says), ends]);
    const { status, bytes } = await through(
      path,
      inChunks(body, [500, 30]).filter((chunk) => typeof chunk !== 'number'),
    );
    if (status !== 200) {
      assert.equal(status, 502);
      assert.match(bytes.toString(), /response_blocked/);
      return;
    }
    const messages = messagesIn(bytes);
    const { headers } = messages.at(-1)!;
    assert.equal(headers[':message-type'], 'error');
    assert.equal(headers[':error-code'], 'sensitive_data_detected');
    assert.match(headers[':error-message']!, /Response blocked/);
    assert.ok(bytes.indexOf(ends) === -1);
  });
}

test('all of a stream is scanned before any of it is sent, where that is asked for', async () => {
  for (const { path, says, ends } of Object.values(SHAPES)) {
    const body = [...words(`The key is ${SECRET}.`).map(says), ends];
    const { status } = await through(path, body, { mode: 'full' });
    assert.equal(status, 502, path);
  }
});

test('what stands beside the words of an agent is read as well', async () => {
  const attribution = { citations: [{ retrievedReferences: [{ content: { text: `The key is ${SECRET}.` } }] }] };
  for (const beside of [{ attribution }, { completion: `The key is ${SECRET}.` }]) {
    const { status } = await through(AGENT, [spoken('See there.', beside)], { mode: 'full' });
    assert.equal(status, 502);
  }
});

test('a compressed stream is read as a whole', async () => {
  const { says, ends } = SHAPES['events of Claude']!;
  const body = Buffer.concat([...words(`The key is ${SECRET}.`).map(says), ends]);
  const { status } = await through(INVOKE, [gzipSync(body)], { coding: 'gzip' });
  assert.equal(status, 502);
});

test('a client waits for the verdict on all before the message at which it stops reading', async () => {
  for (const name of ['a conversation', 'events of Claude', 'events of Llama', 'events of Titan']) {
    const { path, says, ends } = SHAPES[name]!;
    const body = [...words(`The key is ${SECRET}`).map(says), ends];
    const { bytes } = await through(path, body, { mode: 'passthrough' });
    assert.equal(bytes.indexOf(ends), -1, name);
  }
});

const UNFRAMED = Buffer.from([0, 0, 0, 32, 0, 0, 0, 200, ...Buffer.alloc(24)]);

test('headers longer than their message cannot be read, which is refused where failures are', async () => {
  const { status } = await through(INVOKE, [UNFRAMED]);
  assert.equal(status, 502);
});

test('otherwise what cannot be read passes, and is counted', async () => {
  const { guard, status, bytes } = await through(INVOKE, [UNFRAMED, UNFRAMED], { failure: 'open' });
  assert.equal(status, 200);
  assert.ok(bytes.equals(Buffer.concat([UNFRAMED, UNFRAMED])));
  assert.match(await guard.metrics(), /guard_unscannable_total\{reason="invalid-text"\} 1/);
});

const PROXY_ERROR = Buffer.from('<html>504 Gateway Time-out</html>\r\n');

for (const mode of ['passthrough', 'buffered', 'full']) {
  test(`a secret in the last words before the bytes are no messages is not delivered: ${mode}`, async () => {
    const { path, says, ends } = SHAPES['a conversation']!;
    // Neither a blank nor the end of the stream says that the secret is over.
    const frames = [...words(`The key is ${SECRET}`).map(says), ...(mode === 'passthrough' ? [ends] : [])];
    for (const chunks of [[Buffer.concat([...frames, PROXY_ERROR])], [...frames, PROXY_ERROR]]) {
      const { status, bytes } = await through(path, chunks, { mode, failure: 'open' });
      if (mode === 'passthrough') assert.match(bytes.toString('latin1'), /sensitive_data_detected/);
      else assert.equal(status, 502);
      assert.ok(!bytes.includes(PROXY_ERROR));
    }
  });

  test(`messages before bytes that are none pass with these, or are followed by an error, as failures do: ${mode}`, async () => {
    const { path, says } = SHAPES['a conversation']!;
    const sound = Buffer.concat(words(prose(600)).map(says));
    const body = [sound, Buffer.concat([PROXY_ERROR, PROXY_ERROR]), PROXY_ERROR];
    const open = await through(path, body, { mode, failure: 'open' });
    assert.ok(open.bytes.equals(Buffer.concat(body)));
    const closed = await through(path, body, { mode });
    assert.ok(!closed.bytes.includes(PROXY_ERROR));
    if (mode === 'full') assert.equal(closed.status, 502);
  });
}

test('what a compressed stream said before the bytes that are no messages is judged before failures are', async () => {
  const { path, says } = SHAPES['a conversation']!;
  const broken = (text: string): Buffer[] => [gzipSync(Buffer.concat([...words(text).map(says), PROXY_ERROR]))];
  for (const failure of ['open', 'closed']) {
    const secret = await through(path, broken(`The key is ${SECRET}`), { failure, coding: 'gzip' });
    assert.equal(secret.status, 502);
    assert.match(secret.bytes.toString(), /response_blocked/);
  }
  // What is found and blocks nothing changes nothing.
  for (const text of [prose(600), 'Write to bo.dahl@fleckens.hu or so.']) {
    const passed = await through(path, broken(text), { failure: 'open', coding: 'gzip' });
    assert.equal(passed.status, 200);
    assert.ok(passed.bytes.includes(PROXY_ERROR));
    const refused = await through(path, broken(text), { failure: 'closed', coding: 'gzip' });
    assert.equal(refused.status, 502);
    assert.match(refused.bytes.toString(), /upstream_invalid/);
  }
});

test('text that is sent in place of messages is read as text', async () => {
  const { status } = await through(INVOKE, [Buffer.from(`{"completion":"The key is ${SECRET}."}`)], {
    failure: 'open',
  });
  assert.equal(status, 502);
});

test('a message that claims to be longer than what is held is refused', async () => {
  const head = Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0]);
  const { status } = await through(INVOKE, [head, ...Array.from({ length: 9 }, () => Buffer.alloc(1_048_576, 'a'))]);
  assert.equal(status, 502);
});
