/** Response scanning over real sockets: what a client gets of an answer that holds a secret, and of one that does not. */
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import test, { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { responseBlocked } from '../src/domain/refusal.ts';
import { dialectAt } from '../src/proxy/stream/dialect.ts';
import { errorFrame } from '../src/proxy/stream/in-band.ts';
import { SHAPES, WIRES_OF } from './fixtures/streams/shapes.ts';
import { prose, SECRET } from './fixtures/streams/through.ts';
import { startGuard, type Guard } from './helpers/guard.ts';
import { ask, get, openClient, post } from './helpers/raw-client.ts';
import { json, ndjson, sse, startRecorder, type Answer, type Answering, type Recorder } from './helpers/recorder.ts';
import { assertRefusal, inBand } from './helpers/refusals.ts';

const MODES = ['passthrough', 'buffered', 'full'] as const;

interface Shared {
  readonly guard: Guard;
  readonly upstream: Recorder;
  answering: Answering;
}

/** A guard takes a second to prove its signatures, so tests with the same settings share one; each says what is answered. */
const shared = new Map<string, Promise<Shared>>();
after(async () => {
  for (const { guard, upstream } of await Promise.all(shared.values())) {
    await guard.close();
    await upstream.close();
  }
});

async function scanning(
  answering: Answering,
  response: object = {},
  more: { readonly security?: object; readonly faults?: Readonly<Record<string, unknown>> } = {},
): Promise<{ guard: Guard; upstream: Recorder }> {
  const key = JSON.stringify([response, more]);
  const made = shared.get(key) ?? open(response, more);
  shared.set(key, made);
  const pair = await made;
  pair.answering = answering;
  return pair;
}

async function open(
  response: object,
  { security = {}, faults }: { readonly security?: object; readonly faults?: Readonly<Record<string, unknown>> },
): Promise<Shared> {
  const pair: { answering: Answering } = { answering: {} };
  const upstream = await startRecorder((request) =>
    typeof pair.answering === 'function' ? pair.answering(request) : pair.answering,
  );
  const guard = await startGuard({
    upstreams: { 'llm-a': { url: upstream.url } },
    config: { security, scanner: { response: { enabled: true, ...response } } },
    ...(faults === undefined ? {} : { faults }),
  });
  return Object.assign(pair, { guard, upstream });
}

const chat = '/llm-a/v1/chat/completions';
const hello = post(chat, '{"messages":[{"role":"user","content":"hello"}]}', 'Content-Type: application/json');
const at = (path: string): Buffer => post(`/llm-a${path}`, '{"model":"m"}', 'Content-Type: application/json');
const answerOf = (text: string): object => ({
  id: 'x',
  choices: [{ index: 0, message: { role: 'assistant', content: text } }],
});
const streamed = (kind: 'sse' | 'ndjson', frames: readonly (string | number)[]): Answer =>
  kind === 'sse' ? sse(frames) : ndjson(frames);
/** Spelled out in stream-errors-speak-the-dialect-of-their-api.test.ts. */
const endOf = ({ kind, path }: { readonly kind: 'sse' | 'ndjson'; readonly path: string }): string =>
  errorFrame(kind, responseBlocked(), dialectAt(path));

test('a whole answer with a secret becomes a 502 that no SDK repeats', async () => {
  const { guard, upstream } = await scanning(json(answerOf(`The key is ${SECRET}.`)));
  const before = upstream.requests.length;
  const answer = await ask(guard.port, hello);
  assertRefusal(answer, 502, 'response_blocked');
  assert.equal(
    (JSON.parse(answer.body.toString()) as { error: { code: string } }).error.code,
    'sensitive_data_detected',
  );
  assert.equal(answer.value('x-should-retry'), 'false');
  assert.equal(upstream.requests.length, before + 1);
  assert.ok(!guard.logs().join('\n').includes(SECRET));
  assert.match(await guard.metrics(), /guard_detections_total\{[^}]*category="sensitive-data"[^}]*\} 1/);
});

test('a thread tells its users what they wrote themselves, and nothing secret that its assistant says', async () => {
  const message = (role: string, value: string): object => ({ role, content: [{ type: 'text', text: { value } }] });
  const said = message('assistant', 'I have noted it.');
  const own = json({ object: 'list', data: [said, message('user', `My key is ${SECRET}.`)] });
  const { guard } = await scanning(own);
  const ofThread = get('/llm-a/v1/threads/thread_1/messages');
  const answer = await ask(guard.port, ofThread);
  assert.equal(answer.status, 200);
  assert.ok(answer.body.includes(SECRET));
  await scanning(json({ object: 'list', data: [message('assistant', `Your key is ${SECRET}.`), said] }));
  assertRefusal(await ask(guard.port, ofThread), 502, 'response_blocked');
});

test('a refused answer has the X-Request-ID of its upstream, and so has its log line', async () => {
  const said = `The key is ${SECRET}.`;
  const given = { 'x-request-id': 'req_upstream-1' };
  const pieces = said.split(/(?= )/).map(WIRES_OF[0]!.piece);
  for (const answering of [json(answerOf(said), 200, given), sse([...pieces, ...WIRES_OF[0]!.end], given)]) {
    const { guard } = await scanning(answering, { mode: 'full' });
    const known = guard.logs().length;
    const answer = await ask(guard.port, hello);
    assertRefusal(answer, 502, 'response_blocked');
    assert.equal(answer.value('x-request-id'), 'req_upstream-1');
    while (guard.logs().length === known) await sleep(10);
    assert.match(guard.logs()[known]!, /"request_id":"req_upstream-1"/);
  }
});

test('a scan whose answer is blocked or masked counts as a block, and one of an honest answer does not', async () => {
  const counted = async (guard: Guard, result: string): Promise<number> =>
    Number(
      new RegExp(`guard_scans_total\\{scanner="pipeline",result="${result}"\\} (\\d+)`).exec(await guard.metrics())![1],
    );
  const said = `The key is ${SECRET} and that is all.`;
  const stream = sse([...said.split(/(?= )/).map(WIRES_OF[0]!.piece), ...WIRES_OF[0]!.end]);
  const fair = sse([...prose(60).split(/(?= )/).map(WIRES_OF[0]!.piece), ...WIRES_OF[0]!.end]);
  for (const response of [...MODES.map((mode) => ({ mode, buffer_chars: 8 })), { mask: true }]) {
    for (const [answering, blocks] of [
      [json(answerOf(said)), true],
      [json(answerOf('Nothing to see.')), false],
      [stream, true],
      [fair, false],
    ] as const) {
      const { guard } = await scanning(answering, response);
      const before = await counted(guard, 'block');
      await ask(guard.port, hello);
      const more = (await counted(guard, 'block')) - before;
      assert.equal(more > 0, blocks, `${JSON.stringify(response)}: ${more} more`);
    }
  }
});

test('an honest answer leaves as it came, whatever its spacing and its order of keys', async () => {
  const body = '{ "choices":[ {"message":{"content":"caf\\u00e9  \\/ ok"},"index":0}] ,\n"n": 1.0e2 }\n';
  const { guard } = await scanning({ headers: { 'content-type': 'application/json', etag: '"e"' }, body });
  const answer = await ask(guard.port, hello);
  assert.equal(answer.body.toString(), body);
  assert.equal(answer.value('content-length'), String(Buffer.byteLength(body)));
  assert.equal(answer.value('etag'), '"e"');
});

test('a stream that says it is not compressed, or nothing of it, is not held to its end', async () => {
  for (const coding of ['identity', 'Identity', '']) {
    const frames = [...'one two three four '].map((letter) => WIRES_OF[0]!.piece(letter));
    const { guard } = await scanning(
      {
        headers: { 'content-type': 'text/event-stream', 'content-encoding': coding },
        body: [frames.join(''), 60_000, 'data: [DONE]\n\n'],
        framing: 'chunked',
      },
      { buffer_chars: 4 },
    );
    const client = await openClient(guard.port);
    client.say(hello);
    await client.until(() => client.bytes.includes('"o"'));
    client.leave();
  }
});

test('compressed answers are read, though nobody asked for them', async () => {
  for (const [coding, pack] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const) {
    for (const [text, blocked] of [
      [`It is ${SECRET}`, true],
      ['It is nothing', false],
    ] as const) {
      const whole = pack(JSON.stringify(answerOf(text)));
      const events = pack([...text].map(WIRES_OF[0]!.piece).join('') + 'data: [DONE]\n\n');
      for (const [type, body] of [
        ['application/json', whole],
        ['text/event-stream', events],
      ] as const) {
        const { guard, upstream } = await scanning({
          headers: { 'content-type': type, 'content-encoding': coding },
          body,
        });
        const answer = await ask(guard.port, hello);
        assert.deepEqual(upstream.requests.at(-1)!.values('accept-encoding'), ['identity']);
        if (blocked) assertRefusal(answer, 502, 'response_blocked');
        else assert.deepEqual(answer.body, body);
      }
    }
  }
});

test('a stream with a secret is refused before its head, or ends with a frame that says why', async () => {
  for (const mode of MODES) {
    for (const wire of WIRES_OF.filter(({ end }) => end.length > 0 && !end.join('').includes('"kind"'))) {
      const pieces = [...prose(400).split(/(?= )/), ' ', SECRET.slice(0, 9), SECRET.slice(9), ' is all.'].map(
        wire.piece,
      );
      const frames = pieces.flatMap((piece) => [piece, 1]);
      const { guard } = await scanning(streamed(wire.kind, [...frames, ...wire.end]), { mode, buffer_chars: 64 });
      const client = await openClient(guard.port);
      client.say(at(wire.path));
      // That of Cohere breaks off.
      await client.until(() => client.closed !== null || client.answers().some(({ complete }) => complete));
      const answer = client.answers()[0]!;
      client.leave();
      const said = `${mode} ${wire.name}`;
      if (mode === 'full') {
        assertRefusal(answer, 502, 'response_blocked', said);
      } else {
        assert.equal(answer.status, 200, said);
        const text = answer.body.toString();
        assert.ok(text.endsWith(endOf(wire)), `${said}: ${text.slice(-300)}`);
        assert.ok(!text.includes(wire.end[0]!), said);
        if (mode === 'buffered') assert.ok(!text.includes(wire.piece(SECRET.slice(9))), said);
        assert.ok(text.startsWith(pieces[0]!), said);
      }
    }
  }
});

test('a secret in the first words of a buffered stream is a 502', async () => {
  const { guard } = await scanning(sse([`Key ${SECRET} `, ' ok'].map(WIRES_OF[0]!.piece).concat('data: [DONE]\n\n')));
  assertRefusal(await ask(guard.port, hello), 502, 'response_blocked');
});

test('clean streams of every shape leave as they came, over sockets too', async () => {
  for (const mode of MODES) {
    let shape = SHAPES[0]!;
    const { guard } = await scanning(() => streamed(shape.kind, shape.frames), { mode, buffer_chars: 64 });
    for (shape of SHAPES) {
      const answer = await ask(guard.port, at(shape.path));
      assert.equal(answer.body.toString(), shape.frames.join(''), `${mode} ${shape.name}`);
      assert.ok(answer.complete);
    }
  }
});

test('endpoints that answer with keys and files of their own pass unscanned', async () => {
  const { guard } = await scanning(json({ value: SECRET }));
  for (const path of [
    '/v1/realtime/client_secrets',
    '/v1/organization/admin_api_keys',
    '/v1/models',
    '/v1/embeddings',
  ]) {
    const answer = await ask(guard.port, at(path));
    assert.equal(answer.status, 200, path);
    assert.equal(answer.body.toString(), JSON.stringify({ value: SECRET }));
  }
});

test('an answer to GET is scanned as well, and the error of an upstream is not', async () => {
  const { guard } = await scanning(({ target }) =>
    json({ output: [{ content: [{ text: SECRET }] }] }, target.endsWith('err') ? 500 : 200),
  );
  assertRefusal(await ask(guard.port, get('/llm-a/v1/responses/resp_1')), 502, 'response_blocked');
  assert.equal((await ask(guard.port, get('/llm-a/v1/responses/resp_err'))).status, 500);
});

test('an answer longer than what may be held is refused', async () => {
  const big = { security: { max_response_bytes: 20_000 } };
  const { guard } = await scanning(json(answerOf(prose(30_000))), { mode: 'full' }, big);
  assertRefusal(await ask(guard.port, hello), 502, 'response_too_large');
  const frames = prose(30_000)
    .match(/[^]{1,100}/g)!
    .map(WIRES_OF[0]!.piece);
  await scanning(sse(frames), { mode: 'full' }, big);
  assertRefusal(await ask(guard.port, hello), 502, 'response_too_large');
});

test('when the scanner fails, closed refuses and open forwards, before the head and in the midst of a stream', async () => {
  const frames = prose(500).split(/(?= )/).map(WIRES_OF[0]!.piece);
  for (const failure_mode of ['closed', 'open'] as const) {
    for (const mode of MODES) {
      const { guard } = await scanning(
        json(answerOf('fine')),
        { mode },
        { security: { failure_mode }, faults: { throw: 1 } },
      );
      const whole = await ask(guard.port, ofRun);
      if (failure_mode === 'closed') assertRefusal(whole, 503, 'scanner_error');
      else assert.equal(whole.body.toString(), JSON.stringify(answerOf('fine')));

      await scanning(
        sse([...frames, 'data: [DONE]\n\n']),
        { mode },
        { security: { failure_mode }, faults: { throw: 1 } },
      );
      const answer = await ask(guard.port, ofRun);
      const text = answer.body.toString();
      if (failure_mode === 'open') {
        assert.equal(text, `${frames.join('')}data: [DONE]\n\n`);
        assert.match(await guard.metrics(), /guard_fail_open_total\{[^}]*\} [1-9]/);
      } else if (mode === 'passthrough') {
        assert.ok(text.endsWith(FAILED), text.slice(-300));
        assert.ok(!text.includes('[DONE]'));
      } else {
        assertRefusal(answer, 503, 'scanner_error');
      }
    }
  }
});

/** A request without a body is not scanned, so that only the scan of its answer fails. */
const ofRun = get('/llm-a/v1/responses/resp_1');
const FAILED = inBand('sse', 'scanner_error', 'Scanner unavailable');
test('a scanner that begins to fail in the midst of a stream ends it in closed mode', async () => {
  const frames = prose(3000).split(/(?= )/).map(WIRES_OF[0]!.piece);
  const { guard } = await scanning(
    sse([...frames.flatMap((frame) => [frame, 2]), 'data: [DONE]\n\n']),
    { buffer_chars: 20 },
    { security: { failure_mode: 'closed' }, faults: { throw: 0.05 } },
  );
  let midway = 0;
  for (let n = 0; n < 8; n += 1) {
    const answer = await ask(guard.port, ofRun);
    const text = answer.body.toString();
    if (answer.status !== 200) continue;
    if (text.endsWith(FAILED)) midway += 1;
    else assert.equal(text, `${frames.join('')}data: [DONE]\n\n`);
  }
  assert.ok(midway > 0);
});

test('lines of NDJSON that end in CRLF are passed on as they come, and not held to the end of the stream', async () => {
  const line = (content: string): string =>
    WIRES_OF.find(({ name }) => name === 'ollama')!
      .piece(content)
      .trimEnd();
  const { guard } = await scanning(
    ndjson([
      ...prose(2000)
        .split(/(?= )/)
        .map((word) => `${line(word)}\r\n`),
      60_000,
    ]),
    { mode: 'buffered', buffer_chars: 64 },
  );
  const client = await openClient(guard.port);
  client.say(at('/api/chat'));
  await client.until(() => client.bytes.includes('harbour'));
  client.leave();

  const long = Array.from({ length: 100 }, (_, n) => `${line(`${n} ${prose(90_000)}`)}\r\n`);
  const longer = await scanning(ndjson(long), { mode: 'buffered', buffer_chars: 64 });
  const answer = await ask(longer.guard.port, at('/api/chat'));
  assert.equal(answer.status, 200);
  assert.ok(answer.body.toString() === long.join(''));
});

test('an upstream that dies in the midst of a stream is seen to, in every mode', async () => {
  for (const mode of MODES) {
    const frames = prose(600).split(/(?= )/).map(WIRES_OF[0]!.piece);
    const { guard } = await scanning({ ...sse([...frames, 50]), end: 'rst' }, { mode, buffer_chars: 64 });
    const client = await openClient(guard.port);
    client.say(hello);
    await client.until(
      () => client.closed !== null || client.answers().some(({ complete, status }) => complete && status >= 500),
    );
    const [answer] = client.answers();
    if (mode === 'full') assertRefusal(answer, 502, 'upstream_closed');
    else assert.equal(answer!.complete, false, mode);
    client.leave();
  }
});

test('a body that is no sound HTTP is told from a connection that ended, where nothing of it was sent', async () => {
  for (const [type, mode] of [
    ['application/json', 'buffered'],
    ['text/event-stream', 'full'],
  ] as const) {
    const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    for (const [rest, refusal] of [
      ['zz\r\n', 'upstream_invalid'],
      ['', 'upstream_closed'],
    ] as const) {
      const { guard } = await scanning({ raw: `${head}4\r\nhalf\r\n${rest}`, end: 'fin' }, { mode });
      assertRefusal(await ask(guard.port, hello), 502, refusal, type);
    }
  }
});

test('a client that leaves a scanned stream cancels the upstream within 100 ms', async () => {
  for (const mode of MODES) {
    const { guard, upstream } = await scanning(sse([WIRES_OF[0]!.piece('Hello there, '), 60_000]), {
      mode,
      buffer_chars: 64,
    });
    const before = upstream.requests.length;
    const client = await openClient(guard.port);
    client.say(hello);
    await upstream.waitFor(() => upstream.requests.length > before);
    await sleep(80);
    const left = performance.now();
    client.leave();
    const closed = await upstream.waitFor(() => upstream.connections.at(-1)!.closed);
    assert.ok(closed.at - left < 100, `${mode}: ${closed.at - left} ms`);
  }
});

test('a client that does not read stops the upstream, and memory does not grow', async () => {
  const frame = WIRES_OF[0]!.piece(prose(2000));
  const frames = Array.from({ length: 20_000 }, () => frame);
  const total = frames.length * Buffer.byteLength(frame);
  for (const mode of ['passthrough', 'buffered'] as const) {
    const { guard, upstream } = await scanning(sse(frames), { mode, buffer_chars: 64 });
    const client = await openClient(guard.port);
    client.say(hello);
    await client.until(() => client.bytes.length > 0, 8000);
    client.socket.pause();
    const before = process.memoryUsage().rss;
    await sleep(1200);
    const sent = upstream.connections.at(-1)!.bytesSent;
    assert.ok(sent < total / 2, `${mode}: the upstream had sent ${sent} of ${total}`);
    assert.ok(process.memoryUsage().rss - before < 150_000_000);
    client.leave();
  }
});

test('what a shadow policy would do about an answer is in its log line, and counted once for each answer', async (t) => {
  const pieces = `First ${SECRET} ${prose(120)} and then ${SECRET}x and AKIAIOSFODNN7REALKEY of another.`.split(
    /(?= )/,
  );
  const stream = sse([...pieces.map(WIRES_OF[0]!.piece), ...WIRES_OF[0]!.end]);
  const upstream = await startRecorder(({ index }) => (index === 0 ? json(answerOf(`It is ${SECRET}.`)) : stream));
  const guard = await startGuard({
    upstreams: { 'llm-a': { url: upstream.url } },
    config: {
      policy: { default_action: 'log', shadow: { default_action: 'block' } },
      scanner: { response: { enabled: true, buffer_chars: 8 } },
    },
  });
  t.after(async () => {
    await guard.close();
    await upstream.close();
  });
  const counted = async (): Promise<string | undefined> =>
    /guard_shadow_detections_total\{category="sensitive-data",action="block"\} (\d+)/.exec(await guard.metrics())?.[1];
  for (const times of ['1', '2']) {
    const known = guard.logs().length;
    const answer = await ask(guard.port, hello);
    assert.equal(answer.status, 200);
    while (guard.logs().length === known) await sleep(10);
    assert.match(guard.logs()[known]!, /"shadow_action":"block","shadow_category":"sensitive-data"/);
    assert.equal(await counted(), times);
  }
});

test('the last scan ends before what ends the reading goes out', async () => {
  for (const mode of MODES) {
    const frames = [...prose(300).split(/(?= )/), ' ', SECRET].map(WIRES_OF[0]!.piece);
    const { guard } = await scanning(
      sse([...frames, ...WIRES_OF[0]!.end]),
      { mode, buffer_chars: 10 },
      { faults: { slow: 60 } },
    );
    const answer = await ask(guard.port, get('/llm-a/v1/threads/t/messages'));
    assert.ok(!answer.body.includes('[DONE]') && !answer.body.includes('"finish_reason":"stop"'), mode);
  }
});

test('in passthrough the first byte comes within 3 ms of a guard that does not scan responses', async () => {
  const frames = ['Hello', ' there'].map(WIRES_OF[0]!.piece).concat('data: [DONE]\n\n');
  const scanned = await scanning(sse(frames), { mode: 'passthrough' });
  const plain = await scanning(sse(frames), { enabled: false });
  const firstByte = async (port: number): Promise<number> => {
    const client = await openClient(port);
    const asked = performance.now();
    client.say(hello);
    await client.heard(1);
    client.leave();
    return client.arrivals[0]!.at - asked;
  };
  const median = (all: number[]): number => all.sort((a, b) => a - b)[all.length >> 1]!;
  // What else the machine does makes a round longer and never shorter.
  const rounds: number[] = [];
  while (rounds.length < 3 && !rounds.some((difference) => difference < 3)) {
    const times: Record<'scanned' | 'plain', number[]> = { scanned: [], plain: [] };
    for (let n = 0; n < 60; n += 1) {
      times.scanned.push(await firstByte(scanned.guard.port));
      times.plain.push(await firstByte(plain.guard.port));
    }
    rounds.push(median(times.scanned) - median(times.plain));
  }
  assert.ok(Math.min(...rounds) < 3, `${rounds.join(', ')} ms later`);
});
