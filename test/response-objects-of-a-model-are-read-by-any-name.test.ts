/** Where a model answers with an object, its keys are the caller's or the model's, whatever they mean elsewhere. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { SECRET } from './fixtures/streams/through.ts';
import { startPair } from './helpers/pair.ts';
import { ask, post } from './helpers/raw-client.ts';
import { json } from './helpers/recorder.ts';

const KEYS = ['note', 'token', 'id', 'user_id', 'status', 'type', 'usage', 'embedding', 'audio', 'encrypted_content'];
const CARD = 4012888888881881;

const ANSWERS: Readonly<Record<string, readonly [path: string, answer: (said: unknown) => object]>> = {
  'the JSON mode of Cloudflare': [
    '/client/v4/accounts/a/ai/run/@cf/meta/llama-3.1-8b-instruct',
    (response) => ({ success: true, result: { response } }),
  ],
  'a flow of Bedrock': ['/flows/F/aliases/A', (document) => ({ flowOutputEvent: { content: { document } } })],
  'the structured output of Snowflake': [
    '/api/v2/cortex/inference:complete',
    (said) => ({ structured_output: [{ raw_message: said, type: 'json' }] }),
  ],
  Replicate: ['/v1/predictions/x', (output) => ({ output })],
  Vertex: ['/v1/projects/p/locations/l/endpoints/e:predict', (said) => ({ predictions: [said] })],
  SageMaker: ['/endpoints/e/invocations', (said) => ({ predictions: [said] })],
};

for (const [name, [path, answer]] of Object.entries(ANSWERS)) {
  test(`a secret in an object that a model answers with is found under every key: ${name}`, async (t) => {
    let body: object = {};
    const { guard } = await startPair(t, () => json(body), {
      config: { scanner: { response: { enabled: true } } },
    });
    const statusOf = async (sent: object): Promise<number> => {
      body = sent;
      return (await ask(guard.port, post(`/llm-a${path}`, '{}'))).status;
    };
    for (const key of KEYS) {
      for (const said of [{ [key]: SECRET }, { deep: [{ [key]: [SECRET] }] }, { [key]: { a: SECRET } }])
        assert.equal(await statusOf(answer(said)), 502, JSON.stringify(said));
      assert.equal(await statusOf(answer({ [key]: 'nothing' })), 200, key);
    }
    assert.equal(await statusOf(answer({ card: CARD })), 502, 'a number');
    assert.equal(await statusOf(answer(`It is ${SECRET}.`)), 502, 'text');
    // What stands beside the object is the provider's own.
    assert.equal(
      await statusOf({ ...answer({ note: 'nothing' }), id: SECRET, usage: { note: SECRET } }),
      200,
      'beside',
    );
  });
}

test('the numbers of vectors and scores are no secrets', async (t) => {
  const values = Array.from({ length: 768 }, (_, at) => Math.sin(at) / 10);
  const { guard } = await startPair(
    t,
    () => json({ predictions: [values, { embeddings: { values }, scores: values, label: 'cat' }] }),
    { config: { scanner: { response: { enabled: true } } } },
  );
  for (const path of ['/v1/projects/p/locations/l/endpoints/e:predict', '/endpoints/e/invocations'])
    assert.equal((await ask(guard.port, post(`/llm-a${path}`, '{}'))).status, 200, path);
});
