/** While a stream is held back after its head went out, its reader hears a comment now and then. */
import assert from 'node:assert/strict';
import test from 'node:test';
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

test('over sockets the comment stands between whole frames, and only while something is held', async (t) => {
  const frames = [...prose(200).split(/(?= )/), ' unfinish'].map(WIRES_OF[0]!.piece);
  const rest = [WIRES_OF[0]!.piece('ed.'), 'data: [DONE]\n\n'];
  const { guard } = await startPair(t, sse([...frames, 15_600, ...rest]), {
    config: { scanner: { response: { enabled: true, buffer_chars: 64 } } },
  });
  const client = await openClient(guard.port);
  client.say(post('/llm-a/v1/chat/completions', '{"messages":[]}'));
  await sleep(14_000);
  const early = client.bytes.toString();
  assert.ok(early.includes('harbour') && !early.includes('\n: keep-alive\n') && !early.includes('unfinish'));
  const [answer] = await client.heard(1, 8000);
  const text = answer!.body.toString();
  const held = frames.at(-1)!;
  assert.equal(text, [...frames.slice(0, -1), ': keep-alive\n\n', held, ...rest].join(''));
  client.leave();
});
