/** A large text is read in many forms. The kernel would end the process whose memory they fill. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { isMemorySpent } from '../src/domain/memory.ts';
import { watchMemory } from '../src/detect/memory-watch.ts';
import { FEW_SIGNATURES } from './helpers/few-signatures.ts';
import { startProcess } from './helpers/process.ts';
import { startRecorder } from './helpers/recorder.ts';

function watched(isSpent: (more: number) => boolean) {
  let time = 0;
  let [given, looked] = [0, 0];
  const stops = watchMemory(
    1000,
    () => (given += 1),
    () => time,
    (more) => {
      looked += 1;
      return isSpent(more);
    },
  );
  return {
    after(ms: number): boolean {
      time += ms;
      return stops();
    },
    given: () => given,
    looked: () => looked,
  };
}

test('while memory is left a scan goes on, and memory is looked at a hundred times a second at most', () => {
  const watch = watched(() => false);
  for (let call = 0; call < 1000; call += 1) assert.equal(watch.after(1), false);
  assert.deepEqual([watch.looked(), watch.given()], [100, 0]);
});

test('garbage is no reason to stop', () => {
  let isSpent = true;
  const watch = watched(() => isSpent);
  isSpent = false;
  assert.equal(watch.after(10), false);
  const dropped = mock.fn();
  const collected = watchMemory(
    1000,
    () => {
      dropped();
      isSpent = false;
    },
    () => 0,
    () => isSpent,
  );
  isSpent = true;
  assert.equal(collected(), false);
  assert.equal(dropped.mock.callCount(), 1);
});

test('where nothing is left after all was given up, the scan stops, and stays so', () => {
  let isSpent = true;
  const watch = watched(() => isSpent);
  assert.equal(watch.after(10), true);
  assert.equal(watch.given(), 1);
  isSpent = false;
  assert.equal(watch.after(1000), true);
});

test('what fills memory again at once is no garbage, and what does so later is looked at anew', () => {
  const answers = [true, false, true, true];
  const soon = watched(() => answers.shift()!);
  assert.equal(soon.after(10), false);
  assert.equal(soon.after(100), true);
  assert.equal(soon.given(), 1);
  const rest = [true, false, true, false];
  const later = watched(() => rest.shift()!);
  assert.equal(later.after(10), false);
  assert.equal(later.after(300), false);
  assert.equal(later.given(), 2);
});

test('as much is asked for as a pass over the text may take, in proportion to its length', () => {
  const asked: number[] = [];
  const watch = watched((more) => asked.push(more) < 0);
  watch.after(10);
  watch.after(10);
  watch.after(10);
  assert.deepEqual(asked, [6000, 6000, 6000]);
});

test('a process that uses all but a tenth of its memory has spent it', () => {
  const bound = mock.method(process, 'constrainedMemory', () => 1.3 * process.memoryUsage.rss());
  assert.equal(isMemorySpent(0), false);
  assert.equal(isMemorySpent(0.3 * process.memoryUsage.rss()), true);
  bound.mock.mockImplementation(() => 1.08 * process.memoryUsage.rss());
  assert.equal(isMemorySpent(0), true);
  bound.mock.restore();
});

/** In a process whose scanning threads are told that all memory is in use. */
const FULL = `import { isMainThread } from 'node:worker_threads'; if (!isMainThread) process.constrainedMemory = () => 1;`;

test('a compressed body is watched by what it is unpacked, and one that is short unpacked is not', async (t) => {
  const upstream = await startRecorder({ body: ['{}'], headers: { 'content-type': 'application/json' } });
  t.after(() => upstream.close());
  const guard = await startProcess(
    {
      server: { host: '127.0.0.1', port: 0 },
      upstreams: { 'llm-a': { url: upstream.url } },
      ...FEW_SIGNATURES,
      // No machine is so slow that the time is what ends the scan.
      security: { scanner_timeout_ms: 20_000 },
    },
    {},
    [`--import=data:text/javascript,${encodeURIComponent(FULL)}`],
  );
  t.after(() => guard.close());
  const answerTo = async (words: number, path = 'llm-a/v1/chat/completions'): Promise<readonly [number, string]> => {
    const content = Array.from({ length: words }, (_, n) => `word${n % 5000}`).join(' ');
    const sent = path === 'check' ? { text: content } : { messages: [{ role: 'user', content }] };
    const body = gzipSync(JSON.stringify(sent));
    assert.ok(body.length < 500_000, `${body.length} bytes`);
    const response = await fetch(`http://127.0.0.1:${guard.port}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body,
    });
    return [response.status, await response.text()];
  };
  const [status, text] = await answerTo(200_000);
  assert.equal(status, 400);
  assert.match(text, /takes more memory to scan than there is/);
  assert.match((await answerTo(200_000, 'check'))[1], /takes more memory to scan than there is|scan-memory/);
  // By its length when sent, it might hold megabytes.
  assert.equal((await answerTo(20_000))[0], 200);
  assert.equal(upstream.requests.length, 1);
});
