/** A client that takes its answer slowly is read by somebody. Only one that takes nothing is cut off. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPair } from './helpers/pair.ts';
import { post } from './helpers/raw-client.ts';
import { json, sse, type Answer } from './helpers/recorder.ts';

const STALL_MS = 2000;
/** More than the buffers of both ends of a connection take, and what it takes three times the limit to read. */
const TEXT = 'one word and another '.repeat(800_000);
const AT_ONCE = 65_536;
const EVERY_MS = 25;

const chat = (content: string) => ({ choices: [{ index: 0, message: { role: 'assistant', content } }] });
const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const pieces = Array.from({ length: 160 }, (_, at) => TEXT.slice(at * 100_000, (at + 1) * 100_000));

const HELD: readonly (readonly [what: string, answer: Answer, mode: string])[] = [
  ['an answer that was held to its end', json(chat(TEXT)), 'buffered'],
  ['a stream that was held to its end', sse([...pieces.map(delta), 'data: [DONE]\n\n']), 'full'],
];

for (const [what, answer, mode] of HELD)
  test(`${what} reaches a client that reads slowly`, async (t) => {
    const { guard } = await startPair(t, answer, {
      upstream: { wire: 'openai' },
      config: {
        server: { write_stall_ms: STALL_MS },
        scanner: { threads: 1, response: { enabled: true, mode } },
        security: { scanner_timeout_ms: 60_000 },
      },
    });
    const socket = connect({ port: guard.port, host: '127.0.0.1' });
    t.after(() => socket.destroy());
    let closed = false;
    socket.on('error', () => {});
    socket.on('close', () => (closed = true));
    socket.write(post('/llm-a/v1/chat/completions', ''));
    let bytes = 0;
    let end = '';
    while (!closed && !end.endsWith('}') && !end.endsWith('0\r\n\r\n')) {
      const chunk = (socket.read(AT_ONCE) ?? socket.read()) as Buffer | null;
      if (chunk !== null) {
        bytes += chunk.length;
        end = chunk.toString('latin1', Math.max(0, chunk.length - 5));
      }
      await sleep(EVERY_MS);
    }
    assert.ok(!closed, `cut after ${bytes} bytes`);
    assert.ok(bytes > 16_000_000);
  });
