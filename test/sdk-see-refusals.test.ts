/**
 * What each SDK makes of the answers that the proxy gives instead of the upstream's: the form of a refusal was chosen for
 * what is asserted here. The recorder stands in for the proxy and sends exactly what the proxy's own functions produce,
 * so that the SDK's reading is tested by itself; that the proxy sends it at the right moment has tests of its own.
 */
import assert from 'node:assert/strict';
import test, { after, describe } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { RetryError, generateText, streamText } from 'ai';
import type { LanguageModel } from 'ai';
import Anthropic060 from 'anthropic-060';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { envelope, reasonPhrase, refuse, responseBlocked } from '../src/domain/refusal.ts';
import type { Refusal } from '../src/domain/refusal.ts';
import { startDemoUpstream } from '../src/demo/upstream.ts';
import { dialectAt } from '../src/proxy/stream/dialect.ts';
import { errorFrame } from '../src/proxy/stream/in-band.ts';
import { startRecorder } from './helpers/recorder.ts';
import type { Answer } from './helpers/recorder.ts';

const model = await startDemoUpstream({ now: () => Date.UTC(2026, 0, 2), anyKey: true });
/** The first segment of the path says what to answer, the second who asks: so all can ask at the same time. */
const proxy = await startRecorder(({ target, body }) => {
  const [, what = '', , ...path] = target.split('/');
  return answers[what as keyof typeof answers](`/${path.join('/')}`, body);
});
after(() => Promise.all([proxy.close(), model.close()]));

const answers = {
  blocked: () => whole(responseBlocked()),
  'timed-out': () => whole(refuse('scanner_timeout')),
  'cut-short': (path: string, body: Buffer) => half(path, body, errorFrame),
  'cut-silently': (path: string, body: Buffer) => half(path, body, () => ''),
};

function whole(refusal: Refusal): Answer {
  const headers = { 'Content-Type': 'application/json', 'X-Request-ID': 'refused-1', ...refusal.headers };
  return { status: refusal.status, reason: reasonPhrase(refusal), headers, body: envelope(refusal) };
}

const anthropicBody = { model: 'demo', max_tokens: 64, messages: [{ role: 'user' as const, content: 'Say it.' }] };
const chatBody = { model: 'demo', messages: [{ role: 'user' as const, content: 'Say it.' }] };

async function drain(stream: AsyncIterable<unknown>): Promise<never[]> {
  for await (const _item of stream);
  return [];
}

async function drainText(model: LanguageModel): Promise<void> {
  let failure: unknown;
  const onError = ({ error }: { error: unknown }) => void (failure = error);
  await drain(streamText({ model, maxOutputTokens: 64, prompt: 'Say it.', maxRetries: 1, onError }).fullStream);
  if (failure !== undefined) throw failure;
}

function generate(model: LanguageModel): Promise<unknown> {
  return generateText({ model, maxOutputTokens: 64, prompt: 'Say it.', maxRetries: 1 });
}

const MESSAGE = 'Response blocked: sensitive content detected';
const KIND = { type: 'response_blocked', code: 'sensitive_data_detected' };

interface Reader {
  readonly blocked: Field;
  readonly blockedCalls: number;
  readonly timedOut: Field;
  readonly timedOutCalls: number;
  readonly cutShort: Field;
  readonly noticesCut?: RegExp;
  whole(base: string): Promise<unknown>;
  stream(base: string): Promise<unknown>;
}

const openai = (base: string) => new OpenAI({ apiKey: 'k', baseURL: `${base}/v1`, maxRetries: 1 });
const anthropic = (base: string) => new Anthropic({ apiKey: 'k', baseURL: base, maxRetries: 1 });
const anthropic060 = (base: string) => new Anthropic060({ apiKey: 'k', baseURL: base, maxRetries: 1 });
const aiOpenai = (base: string) => createOpenAI({ apiKey: 'k', baseURL: `${base}/v1` });
const aiAnthropic = (base: string) => createAnthropic({ apiKey: 'k', baseURL: `${base}/v1` });

const readers: Record<string, Reader> = {
  'openai, chat': {
    blocked: { class: 'InternalServerError', status: 502, ...KIND, message: `502 ${MESSAGE}`, requestID: 'refused-1' },
    blockedCalls: 1,
    timedOut: { class: 'InternalServerError', status: 503, type: 'scanner_timeout', message: '503 Scanner timed out' },
    timedOutCalls: 2,
    cutShort: { class: 'APIError', status: undefined, ...KIND, message: MESSAGE },
    whole: (base) => openai(base).chat.completions.create(chatBody),
    stream: async (base) => drain(await openai(base).chat.completions.create({ ...chatBody, stream: true })),
  },
  'openai, responses': {
    blocked: { class: 'InternalServerError', status: 502, ...KIND, message: `502 ${MESSAGE}`, requestID: 'refused-1' },
    blockedCalls: 1,
    timedOut: { class: 'InternalServerError', status: 503, type: 'scanner_timeout', message: '503 Scanner timed out' },
    timedOutCalls: 2,
    cutShort: { class: 'APIError', status: undefined, ...KIND, message: MESSAGE },
    whole: (base) => openai(base).responses.create({ model: 'demo', input: 'Say it.' }),
    stream: async (base) =>
      drain(await openai(base).responses.create({ model: 'demo', input: 'Say it.', stream: true })),
  },
  'anthropic 1.x': {
    blocked: { class: 'InternalServerError', status: 502, type: KIND.type, apiMessage: MESSAGE },
    blockedCalls: 1,
    timedOut: {
      class: 'ServiceUnavailableError',
      status: 503,
      type: 'scanner_timeout',
      apiMessage: 'Scanner timed out',
    },
    timedOutCalls: 2,
    cutShort: { class: 'APIError', status: undefined, type: KIND.type, message: MESSAGE },
    whole: (base) => anthropic(base).messages.create(anthropicBody),
    stream: async (base) => drain(await anthropic(base).messages.create({ ...anthropicBody, stream: true })),
  },
  'anthropic 0.60': {
    blocked: { class: 'InternalServerError', status: 502, error: { error: { ...KIND, message: MESSAGE } } },
    blockedCalls: 1,
    timedOut: {
      class: 'InternalServerError',
      status: 503,
      error: { error: { type: 'scanner_timeout', message: 'Scanner timed out' } },
    },
    timedOutCalls: 2,
    cutShort: { class: 'APIError', status: undefined, message: MESSAGE },
    whole: (base) => anthropic060(base).messages.create(anthropicBody),
    stream: async (base) => drain(await anthropic060(base).messages.create({ ...anthropicBody, stream: true })),
  },
  ollama: {
    // An object where this client expects a string; `error` is still readable.
    blocked: {
      class: 'ResponseError',
      status_code: 502,
      error: { ...KIND, message: MESSAGE },
      message: '[object Object]',
    },
    blockedCalls: 1,
    timedOut: {
      class: 'ResponseError',
      status_code: 503,
      error: { type: 'scanner_timeout', message: 'Scanner timed out' },
    },
    timedOutCalls: 1,
    cutShort: { class: 'Error', message: MESSAGE },
    noticesCut: /Did not receive done/,
    whole: (host) => new Ollama({ host }).chat(chatBody),
    stream: async (host) => drain(await new Ollama({ host }).chat({ ...chatBody, stream: true })),
  },
  'ai sdk, openai chat': {
    blocked: { name: 'AI_APICallError', statusCode: 502, message: MESSAGE },
    blockedCalls: 2,
    timedOut: { name: 'AI_APICallError', statusCode: 503, message: 'Scanner timed out' },
    timedOutCalls: 2,
    cutShort: { ...KIND, message: MESSAGE },
    whole: (base) => generate(aiOpenai(base).chat('demo')),
    stream: (base) => drainText(aiOpenai(base).chat('demo')),
  },
  'ai sdk, openai responses': {
    blocked: { name: 'AI_APICallError', statusCode: 502, message: MESSAGE },
    blockedCalls: 2,
    timedOut: { name: 'AI_APICallError', statusCode: 503, message: 'Scanner timed out' },
    timedOutCalls: 2,
    cutShort: { ...KIND, message: MESSAGE },
    whole: (base) => generate(aiOpenai(base).responses('demo')),
    stream: (base) => drainText(aiOpenai(base).responses('demo')),
  },
  'ai sdk, anthropic': {
    blocked: { name: 'AI_APICallError', statusCode: 502, message: MESSAGE },
    blockedCalls: 2,
    timedOut: { name: 'AI_APICallError', statusCode: 503, message: 'Scanner timed out' },
    timedOutCalls: 2,
    cutShort: { type: KIND.type, message: MESSAGE },
    whole: (base) => generate(aiAnthropic(base)('demo')),
    stream: (base) => drainText(aiAnthropic(base)('demo')),
  },
};

/** The demo's own stream up to the second word of its answer, and then the frame that says why there is no more. */
async function half(path: string, body: Buffer, last: typeof errorFrame): Promise<Answer> {
  const response = await fetch(model.url + path, { method: 'POST', body });
  const contentType = response.headers.get('content-type') ?? '';
  const kind = contentType.startsWith('text/event-stream') ? 'sse' : 'ndjson';
  const frames = (await response.text()).split(kind === 'sse' ? /(?<=\n\n)/ : /(?<=\n)/);
  const said = frames.slice(0, frames.findIndex((frame) => frame.includes('said: ')) + 1);
  assert.ok(said.length > 1, path);
  return {
    framing: 'chunked',
    headers: { 'content-type': contentType },
    body: [...said, last(kind, responseBlocked(), dialectAt(path))],
  };
}

type Field = Readonly<Record<string, unknown>>;

/** What was thrown, as far as `fields` asks; retries that failed alike are seen through to the last of them. */
function pick(error: unknown, fields: Field): Field {
  assert.ok(typeof error === 'object' && error !== null, `thrown: ${String(error)}`);
  const last = RetryError.isInstance(error) ? (error.lastError as object) : error;
  const all: Field = { ...last, class: last.constructor.name, message: (last as Error).message };
  return Object.fromEntries(Object.keys(fields).map((name) => [name, all[name]]));
}

async function thrown(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => assert.fail('it was taken for a complete answer'),
    (error: unknown) => error,
  );
}

describe('what an SDK shows of a refusal', { concurrency: true }, () => {
  for (const [index, [name, reader]] of Object.entries(readers).entries()) {
    const base = (what: keyof typeof answers) => `${proxy.url}/${what}/${index}`;
    const calls = (what: keyof typeof answers) =>
      proxy.requests.filter(({ target }) => target.startsWith(`/${what}/${index}/`)).length;

    test(`${name} throws a blocked response, after ${reader.blockedCalls} of 2 possible calls`, async () => {
      const error = await thrown(reader.whole(base('blocked')));
      assert.deepEqual(pick(error, reader.blocked), reader.blocked);
      assert.equal(calls('blocked'), reader.blockedCalls);
    });

    test(`${name} throws a scanner that timed out, after ${reader.timedOutCalls} of 2 possible calls`, async () => {
      const error = await thrown(reader.whole(base('timed-out')));
      assert.deepEqual(pick(error, reader.timedOut), reader.timedOut);
      assert.equal(calls('timed-out'), reader.timedOutCalls);
    });

    test(`${name} throws a block in mid-stream, and does not ask again`, async () => {
      const error = await thrown(reader.stream(base('cut-short')));
      assert.deepEqual(pick(error, reader.cutShort), reader.cutShort);
      assert.equal(calls('cut-short'), 1);
    });

    // The reason for all of this. If a client ever starts to notice, the frame is no longer the only way to tell it.
    test(`${name} ${reader.noticesCut ? 'notices' : 'takes for complete'} a stream that merely ends`, async () => {
      const reading = reader.stream(base('cut-silently'));
      if (reader.noticesCut) await assert.rejects(reading, reader.noticesCut);
      else await reading;
    });
  }
});
