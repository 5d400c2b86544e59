/** Whatever a provider calls the arguments of a tool, all of their keys are the model's own words. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { SECRET } from './fixtures/streams/through.ts';
import { startPair } from './helpers/pair.ts';
import { ask, post } from './helpers/raw-client.ts';
import { json } from './helpers/recorder.ts';

const KEYS = ['token', 'id', 'user_id', 'status', 'model', 'note', 'encrypted_content'];

const CALLS: Readonly<Record<string, readonly [path: string, answer: (args: object) => unknown]>> = {
  Gemini: [
    '/llm-a/v1beta/models/gemini-pro:generateContent',
    (args) => ({ candidates: [{ content: { role: 'model', parts: [{ functionCall: { name: 'f', args } }] } }] }),
  ],
  'Cohere v1': ['/llm-a/v1/chat', (parameters) => ({ tool_calls: [{ name: 'f', parameters }] })],
  'the shell of Responses': [
    '/llm-a/v1/responses',
    (env) => ({ output: [{ type: 'local_shell_call', action: { type: 'exec', command: ['ls'], env } }] }),
  ],
};

for (const [name, [path, answer]] of Object.entries(CALLS)) {
  test(`a secret in the arguments of a tool is found under every key: ${name}`, async (t) => {
    let key = 'none';
    const { guard } = await startPair(t, () => json(answer({ [key]: key === 'none' ? 'nothing' : SECRET })), {
      config: { scanner: { response: { enabled: true } } },
    });
    assert.equal((await ask(guard.port, post(path, '{}'))).status, 200);
    for (key of KEYS) assert.equal((await ask(guard.port, post(path, '{}'))).status, 502, key);
  });
}
