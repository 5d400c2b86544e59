/** The program as it is started and stopped by an operator: signals, exit codes, and TLS to the upstream. */
import assert from 'node:assert/strict';
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSigned } from './helpers/certificate.ts';
import { MAIN, runNode } from './helpers/cli.ts';
import { startProcess } from './helpers/process.ts';
import { ask, get, openClient } from './helpers/raw-client.ts';
import { startRecorder } from './helpers/recorder.ts';
import { assertRefusal, inBand } from './helpers/refusals.ts';

const config = (url: string, server: object) => ({
  server: { host: '127.0.0.1', port: 0, ...server },
  upstreams: { 'llm-a': { url } },
  scanner: { enabled: false },
});

describe('the program', { concurrency: 2 }, () => {
  test('a signal drains and ends the process with 0, with streams told and every line written', async (t: TestContext) => {
    const upstream = await startRecorder({
      headers: { 'Content-Type': 'text/event-stream' },
      framing: 'chunked',
      body: ['data: 1\n\n'],
      end: 'hang',
    });
    t.after(() => upstream.close());
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const running = await startProcess(config(upstream.url, { shutdown_delay_ms: 100, shutdown_timeout_ms: 300 }));
      t.after(() => running.close());
      const client = await openClient(running.port);
      client.say(get('/llm-a/x'));
      await client.until(() => client.bytes.includes('data: 1'));
      running.child.kill(signal);
      assert.deepEqual(await running.exited, { code: 0, signal: null });
      const told = inBand('sse', 'shutting_down', 'The service is shutting down');
      assert.equal(client.answers()[0]!.body.toString(), `data: 1\n\n${told}`);
      const said = new Set(running.lines().map((line) => (JSON.parse(line) as { msg: string }).msg));
      for (const message of ['listening', 'draining', 'exchange', 'stopped']) assert.ok(said.has(message), message);
    }
  });

  test('the process ends with the last call, however long it was allowed to take', async (t: TestContext) => {
    const upstream = await startRecorder({ delayMs: 700, body: 'ok' });
    t.after(() => upstream.close());
    const running = await startProcess(config(upstream.url, { shutdown_delay_ms: 0, shutdown_timeout_ms: 60_000 }));
    t.after(() => running.close());
    const client = await openClient(running.port);
    client.say(get('/llm-a/x'));
    await upstream.waitFor(() => upstream.requests.length === 1);
    const startedAt = performance.now();
    running.child.kill('SIGTERM');
    assert.deepEqual(await running.exited, { code: 0, signal: null });
    assert.ok(performance.now() - startedAt < 3000);
    assert.equal(client.answers()[0]?.body.toString(), 'ok');
  });

  test('an answer that came while the process was frozen is delivered, although the time to drain is over', async (t: TestContext) => {
    const upstream = await startRecorder({ delayMs: 2000, body: 'ok' });
    t.after(() => upstream.close());
    const running = await startProcess(config(upstream.url, { shutdown_delay_ms: 0, shutdown_timeout_ms: 3000 }));
    t.after(() => running.close());
    const client = await openClient(running.port);
    client.say(get('/llm-a/x'));
    await upstream.waitFor(() => upstream.requests.length === 1);
    running.child.kill('SIGTERM');
    await sleep(500);
    running.child.kill('SIGSTOP');
    await sleep(4000);
    running.child.kill('SIGCONT');
    assert.deepEqual(await running.exited, { code: 0, signal: null });
    assert.equal(client.answers()[0]?.body.toString(), 'ok');
  });

  test('a second signal ends the process at once', async (t: TestContext) => {
    const upstream = await startRecorder({ raw: '', end: 'hang' });
    t.after(() => upstream.close());
    const running = await startProcess(
      config(upstream.url, { shutdown_delay_ms: 20_000, shutdown_timeout_ms: 20_000 }),
    );
    t.after(() => running.close());
    const client = await openClient(running.port);
    client.say(get('/llm-a/x'));
    await upstream.waitFor(() => upstream.requests.length === 1);
    const startedAt = performance.now();
    running.child.kill('SIGTERM');
    await client.until(() => client.closed !== null || performance.now() - startedAt > 150);
    assert.equal(running.child.exitCode, null, 'the first one waits');
    running.child.kill('SIGTERM');
    const { code } = await running.exited;
    assert.notEqual(code, 0);
    assert.ok(performance.now() - startedAt < 2000);
  });

  test('an error that nobody expected lets the call under way end, tells nothing of what it said, and ends with 1', async (t: TestContext) => {
    const upstream = await startRecorder({ delayMs: 400, body: 'ok' });
    t.after(() => upstream.close());
    for (const breaking of ["throw new Error('can' + 'ary-words')", "Promise.reject(new Error('can' + 'ary-words'))"]) {
      const script = `process.on('SIGUSR2', () => { ${breaking} })`;
      const options = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
      const running = await startProcess(
        config(upstream.url, { shutdown_delay_ms: 0, shutdown_timeout_ms: 20_000 }),
        options,
      );
      t.after(() => running.close());
      const client = await openClient(running.port);
      const before = upstream.requests.length;
      client.say(get('/llm-a/x'));
      await upstream.waitFor(() => upstream.requests.length > before);
      running.child.kill('SIGUSR2');
      assert.deepEqual(await running.exited, { code: 1, signal: null });
      assert.equal(client.answers()[0]?.body.toString(), 'ok');
      assert.ok(running.lines().some((line) => line.includes('"level":"fatal"')));
      assert.doesNotMatch(running.lines().join('\n'), /canary/);
    }
  });

  // changeOrigin off makes the client's Host the TLS server name; `secure: false` would take any certificate.
  test('an upstream behind TLS is asked by its own name, and only with a certificate that holds', async (t: TestContext) => {
    const { key, cert } = selfSigned('localhost');
    const names: (string | false | undefined)[] = [];
    const hosts: (string | undefined)[] = [];
    const server = createServer({ key, cert }, (request, response) => {
      names.push((request.socket as unknown as { servername: string | false }).servername);
      hosts.push(request.headers.host);
      response.end('secret ok');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, 'localhost', resolve);
    });
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const folder = await mkdtemp(join(tmpdir(), 'guard-test-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'ca.pem'), cert);
    const evil = 'GET /llm-a/x HTTP/1.1\r\nHost: victim.example\r\n\r\n';

    const trusting = await startProcess(config(`https://localhost:${port}`, {}), {
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    });
    t.after(() => trusting.close());
    assert.equal((await ask(trusting.port, evil)).body.toString(), 'secret ok');
    assert.deepEqual([names, hosts], [['localhost'], [`localhost:${port}`]]);

    const doubting = await startProcess(config(`https://localhost:${port}`, {}));
    t.after(() => doubting.close());
    assertRefusal(await ask(doubting.port, evil), 502, 'upstream_unreachable');
    assert.equal(names.length, 1, 'not one request over a connection that was not proven');

    const misnamed = await startProcess(config(`https://127.0.0.1:${port}`, {}), {
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    });
    t.after(() => misnamed.close());
    assertRefusal(await ask(misnamed.port, evil), 502, 'upstream_unreachable');
    assert.equal(names.length, 1);
  });

  test('a signal while the program starts ends it at once with 0', async () => {
    for (const signal of ['SIGTERM', 'SIGINT']) {
      // The first that anybody listens for.
      const script = `process.once('newListener', () => process.nextTick(() => process.kill(process.pid, '${signal}')));`;
      const flags = [`--import=data:text/javascript,${encodeURIComponent(script)}`];

      const { code, stdout } = await runNode([...flags, MAIN, 'serve', '--port', '0']);
      assert.deepEqual([code, stdout], [0, ''], signal);
    }
  });

  test('the lenient parser of Node is refused at the start', async () => {
    await assert.rejects(
      startProcess(config('http://127.0.0.1:1', {}), { NODE_OPTIONS: '--insecure-http-parser' }),
      /refusing to start with --insecure-http-parser/,
    );
  });
});
