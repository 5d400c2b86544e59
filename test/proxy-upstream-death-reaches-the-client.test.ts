/**
 * An upstream that dies must not look like one that is finished: before the head it is an error in the envelope, after it
 * a truncation that the client can see. http-proxy leaves the client hanging in most of these.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPair } from './helpers/pair.ts';
import { ask, get, openClient, type RawClient } from './helpers/raw-client.ts';
import type { Answer } from './helpers/recorder.ts';
import { assertRefusal } from './helpers/refusals.ts';

const FRAMINGS = ['content-length', 'chunked', 'close'] as const;
type Framing = (typeof FRAMINGS)[number];

const TYPES = { json: 'application/json', sse: 'text/event-stream' } as const;
type Kind = keyof typeof TYPES;

const HEADERS = {
  'content-length': 'Content-Length: 1000\r\n',
  chunked: 'Transfer-Encoding: chunked\r\n',
  close: 'Connection: close\r\n',
} satisfies Record<Framing, string>;

const FIRST = 'data: first\n\n';

/** What the upstream has said by the time it dies. */
function points(framing: Framing, kind: Kind): Readonly<Record<string, string>> {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: ${TYPES[kind]}\r\n${HEADERS[framing]}\r\n`;
  const piece = framing === 'chunked' ? `${FIRST.length.toString(16)}\r\n${FIRST}\r\n` : FIRST;
  return {
    'before a byte': '',
    'in the status line': 'HTTP/1.1 20',
    'in the headers': head.slice(0, 40),
    'before the empty line': head.slice(0, -2),
    'after the head': head,
    'after the first piece': head + piece,
    'inside the second piece': head + piece + (framing === 'chunked' ? 'd\r\ndata: s' : 'data: s'),
    ...(framing === 'chunked' ? { 'before the last chunk': `${head + piece}0\r\n` } : {}),
  };
}

/** The one loss that HTTP/1.1 cannot tell from an end: a body that is ended by closing, ended by closing. */
const undetectable = (framing: Framing, kind: Kind, end: string): boolean =>
  framing === 'close' && kind === 'json' && end === 'fin';

for (const framing of FRAMINGS) {
  for (const kind of ['json', 'sse'] as const) {
    test(`an upstream that dies at any point of a ${kind} answer framed by ${framing} is noticed by the client`, async (t) => {
      const plans = Object.entries(points(framing, kind)).flatMap(([point, raw]) =>
        (['fin', 'rst'] as const).map((end) => ({ point, raw, end })),
      );
      const { guard, upstream } = await startPair(
        t,
        ({ target }): Answer => {
          const plan = plans[Number(target.slice(1))]!;
          // Apart, so that the bytes are read before the connection's end is.
          return { raw: plan.raw, end: 'hang' };
        },
        { upstream: { wire: 'openai' } },
      );
      for (const [index, { point, raw, end }] of plans.entries()) {
        const note = `${end} ${point}`;
        const client = await openClient(guard.port);
        client.say(get(`/llm-a/${index}`));
        const connection = await upstream.waitFor(() => upstream.requests[index]?.connection);
        const headed = raw.includes('\r\n\r\n');
        if (headed)
          await client.until(
            () => client.bytes.includes('\r\n\r\n') && (!raw.includes(FIRST) || client.bytes.includes(FIRST)),
          );
        connection.die(end);
        if (!headed) {
          const [answer] = await client.heard(1);
          assertRefusal(
            answer,
            502,
            point === 'before a byte' || end === 'rst' ? 'upstream_closed' : answerType(answer?.body),
            note,
          );
        } else if (undetectable(framing, kind, end)) {
          assert.equal(await client.ended(), 'fin', note);
        } else {
          await truncated(client, framing, note);
        }
        client.leave();
      }
      await upstream.waitFor(() => guard.service.inFlight() === 0);
    });
  }
}

/** A head that ends in its middle is a closed connection to one Node and bad HTTP to another; both are a 502 of ours. */
function answerType(body: Buffer | undefined): string {
  const { type } = (JSON.parse(body?.toString() ?? '{}') as { error: { type: string } }).error;
  return type === 'upstream_invalid' ? type : 'upstream_closed';
}

async function truncated(client: RawClient, framing: Framing, note: string): Promise<void> {
  const how = await client.ended();
  const [answer] = client.answers();
  assert.equal(answer?.status, 200, note);
  // Without a framing the end of the connection is the end of the body, so only a reset can say that it was not.
  if (framing === 'close') assert.equal(how, 'rst', note);
  else assert.equal(answer.complete, false, note);
  assert.ok(answer.body.toString().startsWith('data: first\n\n') || answer.body.length === 0, note);
}

test('a truncated answer is visible to an HTTP/1.0 client, too', async (t) => {
  for (const [framing, headers] of [
    ['chunked', {}],
    ['content-length', { 'Content-Length': '100' }],
  ] as const) {
    const { guard } = await startPair(t, { framing, headers, body: ['first', 30], end: 'rst' });
    const client = await openClient(guard.port);
    client.say('GET /llm-a/x HTTP/1.0\r\n\r\n');
    const how = await client.ended();
    assert.ok(how === 'rst' || client.answers()[0]?.complete === false, framing);
  }
});

test('a scanned stream that is cut off is reset where the client got neither a length nor chunks', async (t) => {
  const words = 'data: {"choices":[{"delta":{"content":"Hello, and more to come. "}}]}\n\n';
  for (const mode of ['passthrough', 'buffered']) {
    const { guard, upstream } = await startPair(
      t,
      {
        headers: { 'Content-Type': TYPES.sse, 'Content-Length': '100000' },
        body: words.repeat(40),
        end: 'hang',
      },
      { config: { scanner: { enabled: true, response: { enabled: true, mode, buffer_chars: 1 } } } },
    );
    for (const end of ['fin', 'rst'] as const) {
      const client = await openClient(guard.port);
      const { length } = upstream.requests;
      client.say('POST /llm-a/v1/chat/completions HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}');
      const connection = await upstream.waitFor(() => upstream.requests[length]?.connection);
      await client.until(() => client.bytes.includes('Hello'));
      assert.deepEqual(client.answers()[0]?.values('content-length'), []);
      connection.die(end);
      assert.equal(await client.ended(), 'rst', `${mode} ${end}`);
      client.leave();
    }
  }
});

const LONG = 'x'.repeat(2000);
const CHAT = 'data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n';

/** Streams of an upstream that ends them by closing the connection: whether they are complete shows in what they say. */
const ENDINGS: readonly (readonly [what: string, body: string, whole: boolean])[] = [
  ['the mark of chat', `${CHAT}data: [DONE]\n\n`, true],
  ['the last event of messages', 'event: message_stop\ndata: {"type":"message_stop"}\n\n', true],
  [
    'a long last event of responses',
    `event: response.completed\ndata: {"type":"response.completed","response":{"text":"${LONG}"}}\n\n`,
    true,
  ],
  ['a long last event without a name', `data: {"type":"response.failed","response":{"text":"${LONG}"}}\n\n`, true],
  ['a long comment after the mark', `${CHAT}data: [DONE]\n\n: ${LONG}\n\n`, true],
  ['an error of the provider', `${CHAT}data: {"error":{"message":"Overloaded","code":502}}\n\n`, true],
  ['no mark', CHAT, false],
  ['nothing', '', false],
  ['a mark that the model only speaks of', CHAT.replace('Hello', 'It ends with data: [DONE] or message_stop.'), false],
  [
    'a last event that is cut off',
    `event: response.completed\ndata: {"type":"response.completed","response":{"te`,
    false,
  ],
];

/** An old server: neither a length nor chunks. */
const HEAD = 'HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n';

const SCANNED = { 'passed unscanned': null, passthrough: 'passthrough', buffered: 'buffered', full: 'full' } as const;

for (const [how, mode] of Object.entries(SCANNED)) {
  test(`an event stream framed by closing is whole when its last word was said, and broken when it was not: ${how}`, async (t) => {
    const scanner = mode === null ? {} : { config: { scanner: { enabled: true, response: { enabled: true, mode } } } };
    const { guard } = await startPair(t, ({ index }): Answer => ({ raw: HEAD + ENDINGS[index]![1], end: 'fin' }), {
      upstream: { wire: 'openai' },
      ...scanner,
    });
    for (const [what, body, whole] of ENDINGS) {
      const client = await openClient(guard.port);
      client.say(get('/llm-a/v1/responses/resp_1'));
      await client.until(() => client.closed !== null || client.answers().some(({ complete }) => complete));
      const [answer] = client.answers();
      if (whole) {
        assert.equal(client.closed?.how, 'fin', what);
        assert.equal(answer?.body.toString(), body, what);
      } else if (client.closed === null) assertRefusal(answer, 502, 'upstream_closed', what);
      else assert.equal(client.closed.how, 'rst', what);
      client.leave();
    }
    const broken = ENDINGS.filter(([, , whole]) => !whole).length;
    assert.match(
      await guard.metrics(),
      new RegExp(`guard_upstream_faults_total\\{[^}]*fault="broken-body"\\} ${broken}\\n`),
    );
  });
}

// `identity` says that nothing was done to the body: there are no chunks, and it ends with its connection.
test('an answer whose transfer coding is identity ends with its connection, and a reset is no end', async (t) => {
  const json = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: identity\r\n\r\n';
  const events = json.replace('application/json', 'text/event-stream');
  const cases: readonly (readonly [raw: string, end: 'fin' | 'rst', how: 'fin' | 'rst'])[] = [
    [`${json}{"a":1}`, 'fin', 'fin'],
    [`${json}{"a":1`, 'rst', 'rst'],
    [`${events}${CHAT}data: [DONE]\n\n`, 'fin', 'fin'],
    [events + CHAT, 'fin', 'rst'],
  ];
  const { guard, upstream } = await startPair(
    t,
    ({ target }) => ({ raw: cases[Number(target.slice(1))]![0], end: 'hang' }),
    {
      upstream: { wire: 'openai' },
    },
  );
  for (const [index, [raw, end, how]] of cases.entries()) {
    const client = await openClient(guard.port);
    client.say(get(`/llm-a/${index}`));
    const connection = await upstream.waitFor(() => upstream.requests[index]?.connection);
    await client.until(() => client.bytes.includes(raw.slice(raw.indexOf('\r\n\r\n') + 4)));
    connection.die(end);
    assert.equal(await client.ended(), how, `${index} ${end}`);
    client.leave();
  }
});

test('what broke is counted and logged, and the next call is served', async (t) => {
  const { guard } = await startPair(t, ({ index }) =>
    index === 0 ? { framing: 'chunked', body: ['first', 20], end: 'rst' } : { body: 'ok' },
  );
  const client = await openClient(guard.port);
  client.say(get('/llm-a/x'));
  await client.ended();
  assert.equal((await ask(guard.port, get('/llm-a/x'))).body.toString(), 'ok');
  const metrics = await guard.metrics();
  assert.match(metrics, /guard_upstream_faults_total\{upstream="llm-a",fault="broken-body"\} 1\n/);
  assert.match(metrics, /guard_stream_aborts_total\{upstream="llm-a",side="upstream"\} 1\n/);
  assert.equal(guard.logs().filter((line) => line.includes('"ending":"upstream-broke"')).length, 1);
});
