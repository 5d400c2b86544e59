/** An event with a picture in it is larger than all that may be held of a stream, and must not wait for what follows it. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { prose, SECRET } from './fixtures/streams/through.ts';
import { startPair } from './helpers/pair.ts';
import { openClient, post } from './helpers/raw-client.ts';
import { sse } from './helpers/recorder.ts';

/** With the head of a PNG: what only says that it is one is read as text. */
const PICTURE = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from(Array.from({ length: 1_050_000 }, (_, at) => (at * at * 31 + (at >> 3)) & 255)),
]).toString('base64');
const chunk = (delta: unknown): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
const words = (content: string): string => chunk({ content });
const picture = chunk({ images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } }] });
const DONE = 'data: [DONE]\n\n';

async function answerOf(t: TestContext, path: string, frames: readonly string[]): Promise<string> {
  const { guard } = await startPair(t, sse([...frames]), {
    config: { security: { failure_mode: 'closed' }, scanner: { response: { enabled: true } } },
  });
  const client = await openClient(guard.port);
  client.say(post(path, '{"messages":[],"stream":true}'));
  const [answer] = await client.heard(1, 8000);
  client.leave();
  return answer!.body.toString();
}

const HONEST: Readonly<Record<string, readonly [path: string, frames: readonly string[]]>> = {
  'one picture and no words': ['/llm-a/v1/chat/completions', [picture, DONE]],
  'a picture behind an open word, and another': [
    '/llm-a/v1/chat/completions',
    [...prose(1500).split(/(?= )/).map(words), words(' done.'), picture, picture, DONE],
  ],
  'partial pictures': [
    '/llm-a/v1/images/generations',
    [0, 1].map((at) => {
      const data = { type: 'image_generation.partial_image', partial_image_index: at, b64_json: PICTURE };
      return `event: image_generation.partial_image\ndata: ${JSON.stringify(data)}\n\n`;
    }),
  ],
  'comments alone': ['/llm-a/v1/chat/completions', [...Array<string>(1200).fill(`: ${'.'.repeat(1000)}\n\n`), DONE]],
};

for (const [name, [path, frames]] of Object.entries(HONEST)) {
  test(`${name}: every byte arrives at once`, async (t) => {
    assert.ok((await answerOf(t, path, frames)) === frames.join(''), 'the bytes differ');
  });
}

test('a secret behind a picture is not delivered whole, nor one that goes on behind it', async (t) => {
  for (const frames of [
    [picture, words('The key is '), ...SECRET.split('').map(words), words(' as you asked.'), DONE],
    [words(`The key is ${SECRET.slice(0, 8)}`), picture, words(`${SECRET.slice(8)} as you asked.`), DONE],
  ]) {
    const body = await answerOf(t, '/llm-a/v1/chat/completions', frames);
    assert.ok(body.includes('response_blocked'), body.slice(-300));
    assert.ok(!body.includes(SECRET.slice(8)) && !body.includes('as you asked'), body.slice(-300));
  }
});
