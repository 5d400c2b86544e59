/**
 * The clients of an API raise on the errors of that API, and drop or misread others. What the real clients make of
 * these bytes is told in docs/clients.md.
 */
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { prose, SECRET } from './fixtures/streams/through.ts';
import { WIRES_OF } from './fixtures/streams/shapes.ts';
import { startGuard } from './helpers/guard.ts';
import { openClient, post } from './helpers/raw-client.ts';
import { sse, startRecorder } from './helpers/recorder.ts';
import { inBand } from './helpers/refusals.ts';

const MESSAGE = 'Response blocked: sensitive content detected';
const named = inBand('sse', 'response_blocked', MESSAGE).replaceAll(
  '"code":"response_blocked"',
  '"code":"sensitive_data_detected"',
);
const unnamed = named.replace('event: error\n', '');
const google = (code: number, status: string, message: string): string =>
  `"error":{"code":${code},"message":"${message}","status":"${status}"}`;
const blamed = `"promptFeedback":{"blockReason":"OTHER","blockReasonMessage":"${MESSAGE}"}`;
const blocked = google(502, 'INTERNAL', MESSAGE);
const late = google(504, 'DEADLINE_EXCEEDED', 'The upstream did not answer in time');

const GEMINI = '/v1beta/models/gemini-2.5-pro:streamGenerateContent';
const pieceAt = (target: string) =>
  WIRES_OF.find(({ path, kind }) => kind === 'sse' && target.toLowerCase().includes(path.toLowerCase()))!.piece;

const upstream = await startRecorder(({ target }) => {
  const piece = pieceAt(decodeURIComponent(target).replaceAll('//', '/'));
  const leak = target.includes('leak')
    ? [' ', SECRET.slice(0, 7), SECRET.slice(7), ' ', ...prose(300).split(/(?= )/)]
    : [];
  return sse([...[...prose(300).split(/(?= )/), ...leak].map(piece), 60_000]);
});
const scanning = await startGuard({
  upstreams: { llm: { url: upstream.url } },
  config: { scanner: { response: { enabled: true, mode: 'buffered', buffer_chars: 64 } } },
});
const relaying = await startGuard({
  upstreams: { llm: { url: upstream.url, idle_timeout_s: 1 } },
  config: { scanner: { enabled: false } },
});
after(async () => {
  await scanning.close();
  await relaying.close();
  await upstream.close();
});

interface End {
  readonly text: string;
  readonly complete: boolean;
}

async function endOf(port: number, path: string): Promise<End> {
  const client = await openClient(port);
  client.say(post(`/llm${path}`, '{"model":"m"}', 'Content-Type: application/json'));
  await client.until(() => client.closed !== null || client.answers().some(({ complete }) => complete));
  const answer = client.answers()[0]!;
  client.leave();
  return { text: answer.body.toString(), complete: answer.complete };
}

/** Behind everything that the upstream said: its own frames end with a blank line and hold no error. */
function assertEnd({ text }: End, end: string): void {
  assert.ok(text.endsWith(`\n\n${end}`), text.slice(-700));
  assert.doesNotMatch(text.slice(0, -end.length), /rror/);
}

for (const [name, path, end] of [
  ['chat completions end with the error as a chunk, and as an event', '/v1/chat/completions', unnamed + named],
  ['so do completions, however their path is spelled', '/v1//Completions/', unnamed + named],
  ['an API whose events have names ends with the event alone: Anthropic', '/v1/messages', named],
  ['an API whose events have names ends with the event alone: Responses', '/v1/responses', named],
  [
    'Gemini ends with an error of Google, as data and as a bare object',
    GEMINI,
    `data: {${blocked},${blamed}}\n\n{${blocked}}`,
  ],
  ['so it does where the colon is escaped', GEMINI.replace(':', '%3A'), `data: {${blocked},${blamed}}\n\n{${blocked}}`],
] as const) {
  test(`when a stream is blocked, ${name}`, async () => {
    const got = await endOf(scanning.port, `${path}?leak=1`);
    assertEnd(got, end);
    assert.equal(got.complete, true);
    assert.ok(!got.text.includes(SECRET.slice(7)));
  });
}

test('when a stream is blocked, Cohere ends with data that cannot be read, and is not complete', async () => {
  const end = await endOf(scanning.port, '/v2/chat?leak=1');
  assertEnd(end, `${named}event: error\ndata: ${MESSAGE}\n\n`);
  assert.equal(end.complete, false);
});

test('a stream of Gemini that is not scanned ends in the same way when it falls silent, and blames no prompt', async () => {
  const end = await endOf(relaying.port, GEMINI);
  assertEnd(end, `data: {${late}}\n\n{${late}}`);
  assert.equal(end.complete, true);
});
