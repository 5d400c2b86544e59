/** A blocked answer is one call and a typed error in the official SDKs; a blocked stream is an exception in every mode. */
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import Anthropic, { APIError as AnthropicError } from '@anthropic-ai/sdk';
import Anthropic060, { APIError as Anthropic060Error } from 'anthropic-060';
import OpenAI, { APIError as OpenAIError } from 'openai';
import { WIRES_OF } from './fixtures/streams/shapes.ts';
import { prose, SECRET } from './fixtures/streams/through.ts';
import { startGuard } from './helpers/guard.ts';
import { json, sse, startRecorder } from './helpers/recorder.ts';

const wireNamed = (name: string) => WIRES_OF.find((wire) => wire.name === name)!;
const WIRES = {
  '/v1/chat/completions': wireNamed('openai chat'),
  '/v1/responses': wireNamed('openai responses'),
  '/v1/messages': wireNamed('anthropic'),
};
const WHOLE = {
  '/v1/chat/completions': { choices: [{ index: 0, message: { role: 'assistant', content: SECRET } }] },
  '/v1/responses': { output: [{ type: 'message', content: [{ type: 'output_text', text: SECRET }] }] },
  '/v1/messages': { type: 'message', role: 'assistant', content: [{ type: 'text', text: SECRET }] },
};
type Path = keyof typeof WIRES;

const upstream = await startRecorder(({ target, body }) => {
  const path = target as Path;
  if (!body.toString().includes('"stream":true')) return json(WHOLE[path]);
  const wire = WIRES[path];
  const frames = [...prose(300).split(/(?= )/), ' ', SECRET.slice(0, 7), SECRET.slice(7), ' '].map(wire.piece);
  return sse([...frames.flatMap((frame) => [frame, 1]), ...wire.end]);
});
const guards = await Promise.all(
  ['passthrough', 'buffered', 'full'].map(async (mode) => ({
    mode,
    guard: await startGuard({
      upstreams: { llm: { url: upstream.url } },
      config: {
        scanner: { response: { enabled: true, mode, buffer_chars: 64 } },
        security: { scanner_timeout_ms: 60_000 },
      },
    }),
  })),
);
after(async () => {
  await Promise.all(guards.map(({ guard }) => guard.close()));
  await upstream.close();
});

for (const { mode, guard } of guards) {
  const openai = new OpenAI({ apiKey: 'k', baseURL: `${guard.url}/llm/v1` });
  const anthropic = new Anthropic({ apiKey: 'k', baseURL: `${guard.url}/llm` });
  const anthropic060 = new Anthropic060({ apiKey: 'k', baseURL: `${guard.url}/llm` });
  const messages = [{ role: 'user' as const, content: 'hello' }];
  const asked = { model: 'm', max_tokens: 9, messages };

  const calls = {
    'openai chat': [OpenAIError, (stream: boolean) => openai.chat.completions.create({ model: 'm', messages, stream })],
    'openai responses': [
      OpenAIError,
      (stream: boolean) => openai.responses.create({ model: 'm', input: 'hello', stream }),
    ],
    'anthropic 1': [AnthropicError, (stream: boolean) => anthropic.messages.create({ ...asked, stream })],
    'anthropic 0.60': [Anthropic060Error, (stream: boolean) => anthropic060.messages.create({ ...asked, stream })],
  } as const;

  for (const [name, [TypedError, call]] of Object.entries(calls)) {
    test(`${mode}, ${name}: a blocked answer is one call and a typed error`, async () => {
      const before = upstream.requests.length;
      await assert.rejects(
        async () => void (await call(false)),
        (error) => {
          assert.ok(error instanceof TypedError);
          assert.equal(error.status, 502);
          assert.match(error.message, /Response blocked/);
          return true;
        },
      );
      assert.equal(upstream.requests.length, before + 1);
    });

    test(`${mode}, ${name}: a blocked stream raises, and does not tell the secret`, async () => {
      const before = upstream.requests.length;
      let text = '';
      await assert.rejects(
        async () => {
          for await (const event of (await call(true)) as unknown as AsyncIterable<unknown>)
            text += JSON.stringify(event);
        },
        (error) => error instanceof TypedError && /Response blocked/.test(error.message),
      );
      if (mode !== 'passthrough') assert.ok(!text.includes(SECRET.slice(7)));
      assert.equal(upstream.requests.length, before + 1);
    });
  }
}
