/** Text Generation Inference and DJL stream each piece of their text under `token`, also where SageMaker hosts them. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { SECRET } from './fixtures/streams/through.ts';
import { startPair } from './helpers/pair.ts';
import { ask, post } from './helpers/raw-client.ts';
import { json, ndjson, sse, type Answer } from './helpers/recorder.ts';

const PATHS = ['/llm-a/generate_stream', '/llm-a/invocations', '/llm-a/endpoints/e/invocations-response-stream'];

const streamed = (text: string): readonly string[] =>
  (text.match(/.{1,4}/gs) ?? []).map((piece, id) =>
    JSON.stringify({ index: id, token: { id, text: piece, logprob: -1, special: false }, generated_text: null }),
  );
const asEvents = (text: string): Answer => sse(streamed(text).map((frame) => `data: ${frame}\n\n`));
const asLines = (text: string): Answer => ndjson(streamed(text).map((frame) => `${frame}\n`));

/** What a client reads that puts the pieces together. */
const told = (body: Buffer): string =>
  [...body.toString().matchAll(/"text":("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => JSON.parse(text)).join('');

const around = (middle: string): string => `Here it is: ${middle} and that was all. ${'Anything else? '.repeat(40)}`;

for (const mode of ['buffered', 'full'] as const) {
  for (const [name, answerWith] of Object.entries({ events: asEvents, lines: asLines })) {
    test(`${mode}: a secret in ${name} of tokens does not reach the client`, async (t) => {
      let text = '';
      const { guard } = await startPair(t, () => answerWith(text), {
        config: { scanner: { response: { enabled: true, mode } } },
      });
      for (const path of PATHS) {
        text = around(SECRET);
        assert.ok(!told((await ask(guard.port, post(path, '{}'))).body).includes(SECRET), path);
        text = around('no secret');
        const clean = await ask(guard.port, post(path, '{}'));
        assert.equal(clean.status, 200);
        assert.equal(told(clean.body), text, path);
      }
    });
  }
}

test('a secret in the tokens of a whole answer does not reach the client', async (t) => {
  const { guard } = await startPair(t, () => json({ token: { id: 1, text: SECRET }, generated_text: null }), {
    config: { scanner: { response: { enabled: true } } },
  });
  for (const path of PATHS) assert.equal((await ask(guard.port, post(path, '{}'))).status, 502, path);
});
