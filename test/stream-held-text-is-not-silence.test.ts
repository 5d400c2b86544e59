/** While a stream is held back after its head went out, its reader hears a comment now and then. */
import assert from 'node:assert/strict';
import test, { describe, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKeepAlive } from '../src/proxy/stream/keep-alive.ts';
import { prose } from './fixtures/streams/through.ts';
import { WIRES_OF } from './fixtures/streams/shapes.ts';
import { startPair } from './helpers/pair.ts';
import { openClient, post } from './helpers/raw-client.ts';
import { sse } from './helpers/recorder.ts';

test('a comment every 15 seconds of holding, counted from what went out last', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let holding = true;
  const said: string[] = [];
  const alive = createKeepAlive(
    () => holding,
    (comment) => said.push(comment),
  );
  t.mock.timers.tick(14_999);
  assert.deepEqual(said, []);
  t.mock.timers.tick(1);
  assert.deepEqual(said, [': keep-alive\n\n']);
  holding = false;
  t.mock.timers.tick(60_000);
  assert.equal(said.length, 1);
  holding = true;
  t.mock.timers.tick(15_000);
  assert.equal(said.length, 2);
  alive.stop();
  t.mock.timers.tick(60_000);
  assert.equal(said.length, 2);
});

describe('over sockets', { concurrency: true }, () => {
  test('the comment stands between whole frames, and only while something is held', async (t) => {
    const chat = WIRES_OF[0]!.piece;
    const frames = [...prose(200).split(/(?= )/), ' unfinish'].map(chat);
    const rest = [chat('ed.'), 'data: [DONE]\n\n'];
    const text = await afterHolding(t, '/v1/chat/completions', frames, rest);
    const held = frames.at(-1)!;
    assert.equal(text, [...frames.slice(0, -1), ': keep-alive\n\n', held, ...rest].join(''));
  });

  // Two of its clients take a comment for a broken stream, and a third one for an empty answer.
  test('Gemini gets no comment', async (t) => {
    const { path, piece, end } = WIRES_OF.find(({ name }) => name === 'gemini')!;
    const frames = [...prose(200).split(/(?= )/), ' unfinish'].map(piece);
    const rest = [piece('ed.'), ...end];
    const text = await afterHolding(t, path, frames, rest);
    assert.equal(text, [...frames, ...rest].join(''));
  });
});

/** The whole body for a client of a stream whose last word is held for longer than the interval of comments. */
async function afterHolding(
  t: TestContext,
  path: string,
  frames: readonly string[],
  rest: readonly string[],
): Promise<string> {
  const { guard } = await startPair(t, sse([...frames, 15_600, ...rest]), {
    config: { scanner: { response: { enabled: true, buffer_chars: 64 } } },
  });
  const client = await openClient(guard.port);
  client.say(post(`/llm-a${path}`, '{"messages":[]}'));
  await sleep(14_000);
  const early = client.bytes.toString();
  assert.ok(early.includes('harbour') && !early.includes('\n: keep-alive\n') && !early.includes('unfinish'));
  const [answer] = await client.heard(1, 8000);
  client.leave();
  return answer!.body.toString();
}
