import assert from 'node:assert/strict';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startDemoUpstream, type DemoUpstream } from '../../src/demo/upstream.ts';
import { callThrough, runAsNobody, startAsNobody, tryToWrite } from './nobody.ts';
import { packAt } from './pack.ts';
import { answers, folder, freePort, REPOSITORY, run, until } from './processes.ts';

/** What somebody gets who installs the package: packed, installed in an empty folder, run by a user who owns nothing. */

const files = folder();
const home = join(files.path, 'home');
const installed = join(home, 'node_modules/guard-proxy');
const main = join(installed, 'dist/src/main.js');
const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
let upstream: DemoUpstream;

before(async () => {
  chmodSync(files.path, 0o755);
  const archive = packAt(join(files.path, 'stage'));
  mkdirSync(home);
  // re2 is compiled where its install script runs; here the binary that is there already stands in for that.
  const install = [
    'install',
    '--prefer-offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefix',
    home,
    archive,
  ];
  const { status, output } = run('npm', install, { cwd: home });
  assert.equal(status, 0, output);
  cpSync(
    join(REPOSITORY, 'node_modules/re2/build/Release/re2.node'),
    join(home, 'node_modules/re2/build/Release/re2.node'),
  );
  assert.equal(run('chmod', ['-R', 'a-w,a+rX', home]).status, 0);
  upstream = await startDemoUpstream({ anyKey: true });
});

after(async () => {
  await upstream?.close();
  run('chmod', ['-R', 'u+w', files.path]);
  files.remove();
});

test('the installed command says the version of the package', () => {
  const { status, output } = run(join(home, 'node_modules/.bin/guard'), ['--version']);
  assert.equal(status, 0, output);
  assert.equal(output.trim(), version);
  assert.equal(runAsNobody([main, '--version']).output.trim(), version);
});

test('what tests and builds the package is not installed with it', () => {
  for (const name of ['typescript', 'openai', 'fast-check', 'prettier'])
    assert.ok(!existsSync(join(home, 'node_modules', name)), name);
});

test('the installed proxy serves a call from a tree it cannot write, logs only JSON, and leaves with 0 on SIGTERM', async () => {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  assert.equal(tryToWrite(join(installed, 'x')), false);
  const configuration = files.write(
    'guard.yaml',
    JSON.stringify({
      server: { host: '127.0.0.1', port, shutdown_delay_ms: 100 },
      upstreams: { 'llm-a': { url: upstream.url, wire: 'openai' } },
    }),
  );
  chmodSync(configuration, 0o644);
  assert.equal(runAsNobody([main, 'healthcheck', '-c', configuration]).status, 1, 'nothing is running yet');
  const proxy = startAsNobody([main, '-c', configuration]);
  try {
    await until('the installed proxy', () => answers(`${base}/readyz`), { heard: proxy.output });
    await callThrough(base);
    assert.deepEqual(await (await fetch(base)).json(), { service: 'guard', version });
    // The command blocks this process, and the proxy needs nothing of it.
    const healthy = runAsNobody([main, 'healthcheck', '-c', configuration]);
    assert.equal(healthy.status, 0, healthy.output);
    proxy.signal('SIGTERM');
    assert.equal(await proxy.exited, 0, proxy.output());
    const lines = proxy
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string });
    assert.deepEqual([lines[0]!.msg, lines.at(-1)!.msg], ['listening', 'stopped']);
    assert.ok(lines.some(({ msg }) => msg === 'exchange'));
  } finally {
    await proxy.stop();
  }
});

test('a configuration that makes no sense ends the installed proxy with 78, which systemd takes for an answer', () => {
  const configuration = files.write('wrong.yaml', 'server: { port: eighty }\n');
  chmodSync(configuration, 0o644);
  const { status, output } = runAsNobody([main, '-c', configuration]);
  assert.equal(status, 78, output);
  assert.match(output, /wrong\.yaml:1:\d+/);
});
