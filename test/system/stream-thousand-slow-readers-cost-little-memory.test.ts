/** A thousand slow streams at once, scanned: memory stays flat while they run. */
import assert from 'node:assert/strict';
import { createServer, request, type ClientRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WIRES_OF } from '../fixtures/streams/shapes.ts';
import { prose } from '../fixtures/streams/through.ts';
import { residentMb } from '../helpers/resident.ts';
import { startProcess } from '../helpers/process.ts';

const STREAMS = 1000;
const SECONDS = 20;
const WORDS = prose(100_000).match(/\s*\S+/g) ?? [];

/** Two words a second for each reader, for ever. */
async function startSlowUpstream(): Promise<{ port: number; server: Server }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let at = 0;
    const timer = setInterval(() => response.write(WIRES_OF[0]!.piece(WORDS[at++ % WORDS.length]!)), 500);
    response.once('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { port: (server.address() as AddressInfo).port, server };
}

test('1000 slow streams in buffered mode, for 20 seconds', async (t) => {
  const { port, server } = await startSlowUpstream();
  const running = await startProcess({
    server: { host: '127.0.0.1', port: 0, shutdown_delay_ms: 0 },
    upstreams: { llm: { url: `http://127.0.0.1:${port}`, max_sockets: STREAMS + 10 } },
    scanner: { threads: 1, response: { enabled: true, buffer_chars: 16 } },
  });
  const ends: string[] = [];
  const bytes = Array.from({ length: STREAMS }, () => 0);
  const calls: ClientRequest[] = [];
  // New work is turned away when more comes at once than can be scanned, and comes again as every SDK does.
  const call = (index: number): void => {
    const options = { port: running.port, path: '/llm/v1/chat/completions', method: 'POST', agent: false };
    calls[index] = request(options, (answer) => {
      let tail = '';
      answer.on('data', (chunk: Buffer) => {
        if (answer.statusCode === 200) bytes[index]! += chunk.length;
        tail = chunk.toString('utf8', 0, 200);
      });
      answer.once('close', () => {
        if (answer.statusCode === 503) setTimeout(() => call(index), 1000).unref();
        else ends.push(`${answer.statusCode} ${tail}`);
      });
    });
    calls[index].on('error', () => {});
    calls[index].end('{"messages":[]}');
  };
  for (let index = 0; index < STREAMS; index += 1) {
    call(index);
    if (index % 20 === 19) await sleep(100);
  }
  t.after(async () => {
    for (const call of calls) call.destroy();
    await running.close();
    server.closeAllConnections();
    server.close();
  });
  await sleep(6000);
  const pid = running.child.pid!;
  const early: number[] = [];
  const late: number[] = [];
  for (let second = 0; second < SECONDS; second += 1) {
    await sleep(1000);
    (second < SECONDS / 2 ? early : late).push(residentMb(pid));
  }
  const before = Math.max(...early);
  const after = Math.max(...late);
  t.diagnostic(`resident memory: ${before.toFixed(0)} MB, ten seconds later ${after.toFixed(0)} MB`);
  assert.deepEqual(ends.slice(0, 3), [], `${ends.length} streams ended`);
  assert.ok(
    bytes.every((got) => got > 5000),
    `the slowest got ${Math.min(...bytes)} bytes`,
  );
  assert.ok(after - before < 30, `${before} MB, then ${after} MB`);
  assert.ok(after < 400, `${after} MB`);
});
