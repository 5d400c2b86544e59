/** The smallest instance that is advised, half a gigabyte, under bodies that take all the memory that they can get. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitMemory } from '../../bench/memory-limit.ts';
import { chooser } from '../../src/detect/prove/hostile.ts';
import { loadSignatures } from '../../src/signatures/load.ts';
import { answers, folder, freePort, MAIN, start, until } from './processes.ts';

const SECONDS = 40;
const LARGE = 6_000_000;
const pick = chooser(1);
/** All that signatures look for, and all that nearly is it. */
const phrases = loadSignatures().signatures.flatMap(({ matches, ignores }) => [matches, ignores].flat());

/** Text in which nothing comes twice. */
function textOf(length: number): string {
  let text = '';
  while (text.length < length) text += `${phrases[pick(phrases.length)]} ${pick(1_000_000)}\n`;
  return text;
}

/** What three senders of short texts are answered, and so many of large ones beside them. */
async function sent(
  t: TestContext,
  largeSenders: number,
): Promise<{ readonly small: readonly number[]; readonly large: readonly (number | string)[] } | null> {
  const limit = limitMemory(512);
  t.after(() => limit.remove());
  if (limit.held === 'none') {
    t.skip('the kernel does not let us');
    return null;
  }
  const upstream = createServer((call, answer) => call.resume().on('end', () => answer.end('{}')));
  await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve));
  t.after(() => upstream.close());
  const files = folder();
  t.after(() => files.remove());
  const config = {
    server: { host: '127.0.0.1' },
    upstreams: { llm: { url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` } },
    scanner: { threads: 2 },
    logging: { level: 'error' },
  };
  const port = await freePort();
  const args = [MAIN, 'serve', '-c', files.write('guard.yaml', JSON.stringify(config)), '--port', String(port)];
  const proxy = start(process.execPath, args, { MALLOC_ARENA_MAX: '2' });
  limit.admit(proxy.pid);
  await until('guard', () => answers(`http://127.0.0.1:${port}/readyz`), { heard: proxy.output });

  const url = `http://127.0.0.1:${port}/llm/v1/chat/completions`;
  const ask = async (length: number): Promise<number> => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: textOf(length) }] });
    const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const endsAt = performance.now() + SECONDS * 1000;
  const small: number[] = [];
  const large: (number | string)[] = [];
  const sendSmall = async (): Promise<void> => {
    for (; performance.now() < endsAt; await sleep(50)) small.push(await ask(1500));
  };
  const sendLarge = async (): Promise<void> => {
    // One that is refused before it was sent whole sees its connection end.
    for (; performance.now() < endsAt; await sleep(50)) large.push(await ask(LARGE).catch(() => 'cut'));
  };
  const times = (count: number, send: () => Promise<void>): Promise<void>[] => Array.from({ length: count }, send);
  await Promise.all([...times(3, sendSmall), ...times(largeSenders, sendLarge)]);
  assert.equal(await Promise.race([proxy.exited, sleep(500, 'alive')]), 'alive', proxy.output().slice(-2000));
  assert.equal(await answers(`http://127.0.0.1:${port}/readyz`), true);
  await proxy.stop();
  return { small, large };
}

function odd(answered: readonly (number | string)[]): (number | string)[] {
  return answered.filter((each) => ![200, 400, 503, 'cut'].includes(each));
}

test('senders of large texts and of all kinds of attacks do not end a process with half a gigabyte', async (t) => {
  const answered = await sent(t, 3);
  if (answered === null) return;
  const { small, large } = answered;
  assert.deepEqual([odd(small), odd(large)], [[], []]);
  assert.ok(small.length > 20 && large.length > 5, `${small.length} and ${large.length}`);
});

test('senders of short texts of all kinds of attacks alone do not, either', async (t) => {
  const answered = await sent(t, 0);
  if (answered === null) return;
  assert.deepEqual(odd(answered.small), []);
  assert.ok(answered.small.length > 40, String(answered.small.length));
});
