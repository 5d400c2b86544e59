/** The program with a log that is full, closed or not read: it serves, and it ends when it is told to. */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAIN, temporaryFolder } from './helpers/cli.ts';
import { PATIENCE_MS } from './helpers/patience.ts';
import { freePort } from './system/processes.ts';

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  /** What it said on standard error. */
  told(): string;
  /** Tells it to stop, and waits until it has. */
  stop(signals?: number): Promise<{ readonly code: number | null; readonly ms: number }>;
}

/** `guard serve`, whose port cannot be learned from its log. */
async function startWith(t: TestContext, stdout: number | 'pipe'): Promise<Started> {
  const port = await freePort();
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const file = folder.file(
    'config.yaml',
    JSON.stringify({
      server: { host: '127.0.0.1', port, shutdown_delay_ms: 100, shutdown_timeout_ms: 300 },
      upstreams: {},
      scanner: { enabled: false },
      logging: { level: 'debug' },
    }),
  );
  const child = spawn(process.execPath, [MAIN, 'serve', '-c', file], {
    stdio: ['ignore', stdout, 'pipe'],
    env: { PATH: process.env['PATH'] },
  });
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    assert.equal(child.exitCode, null, said);
    return await serves(url);
  });
  return {
    child,
    url,
    told: () => said,
    async stop(signals = 1) {
      const since = performance.now();
      const exit = once(child, 'exit') as Promise<[number | null]>;
      for (let i = 0; i < signals; i += 1) {
        child.kill('SIGTERM');
        await sleep(20);
      }
      const [code] = await exit;
      return { code, ms: performance.now() - since };
    },
  };
}

async function serves(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** More than a pipe holds: the request id stands in the log, and may have 128 characters. */
async function fill(url: string): Promise<void> {
  for (let i = 0; i < 1500; i += 1) {
    const response = await fetch(`${url}/healthz`, { headers: { 'x-request-id': 'x'.repeat(128) } });
    await response.arrayBuffer();
    assert.equal(response.status, 200);
  }
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('never');
    await sleep(20);
  }
}

describe('a log that cannot be written', { concurrency: 2 }, () => {
  test('a full disk stops neither the traffic nor the end of the process', async (t) => {
    const full = openSync('/dev/full', 'w');
    t.after(() => closeSync(full));
    const started = await startWith(t, full);
    for (let i = 0; i < 20; i += 1) {
      assert.ok(await serves(started.url), `call ${i}`);
      await sleep(100);
    }
    const { code, ms } = await started.stop();
    assert.deepEqual([code, started.told()], [0, '']);
    assert.ok(ms < 5000, `${ms} ms`);
  });

  test('lines are written again when that is possible again, and those that waited first', async (t) => {
    const folder = temporaryFolder();
    t.after(() => folder.remove());
    const pipe = join(folder.path, 'log');
    assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
    let reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, 'w');
    const started = await startWith(t, writer);
    closeSync(writer);
    let text = '';
    const read = (): void => {
      const buffer = Buffer.alloc(65_536);
      try {
        for (let n = -1; n !== 0;) {
          n = readSync(reader, buffer);
          text += buffer.toString('utf8', 0, n);
        }
      } catch {
        // Nothing more for now.
      }
    };
    await until(() => (read(), text.includes('"listening"')));
    closeSync(reader);
    await fetch(`${started.url}/healthz`, { headers: { 'x-request-id': 'while-it-was-away' } });
    await sleep(1000);
    reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    t.after(() => closeSync(reader));
    await fetch(`${started.url}/healthz`, { headers: { 'x-request-id': 'back-again' } });
    await until(() => (read(), text.includes('back-again')));
    assert.equal((await started.stop()).code, 0);
    read();
    const lines = text.trim().split('\n');
    for (const line of lines) JSON.parse(line);
    assert.ok(text.indexOf('while-it-was-away') < text.indexOf('back-again') && text.includes('while-it-was-away'));
    assert.match(lines.at(-1)!, /"stopped"/);
  });

  test('a log that nobody reads keeps the process for a second at most when it is told to stop', async (t) => {
    const started = await startWith(t, 'pipe');
    await fill(started.url);
    const { code, ms } = await started.stop();
    assert.equal(code, 0);
    assert.ok(ms < 5000, `${ms} ms`);
  });

  test('a second signal ends a process whose log nobody reads', async (t) => {
    const started = await startWith(t, 'pipe');
    await fill(started.url);
    const { code, ms } = await started.stop(2);
    assert.equal(code, 1);
    assert.ok(ms < 5000, `${ms} ms`);
  });

  test('a second signal loses no line of a log that is read', async (t) => {
    const started = await startWith(t, 'pipe');
    let text = '';
    started.child.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()));
    assert.equal((await started.stop(2)).code, 1);
    await until(() => text.includes('"stopping at once"'));
  });

  test('a command that cannot write what it was asked for says so and fails', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [MAIN, '--version'], { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    assert.deepEqual([status, stderr.toString()], [1, 'guard: standard output cannot be written: ENOSPC\n']);
  });
});
