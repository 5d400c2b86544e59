import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import test, { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { OTHER_IDS } from '../src/commands/unknown-signature-ids.ts';
import { CANARY, PROMPT_SECRET } from '../src/detect/egress.ts';
import { LIKENESS } from '../src/detect/resemblance.ts';
import { guard, MAIN, temporaryFolder } from './helpers/cli.ts';
import { startProcess } from './helpers/process.ts';

const folder = temporaryFolder();
after(() => folder.remove());
const good = folder.file('good.yaml', 'server: { port: 9191 }\nupstreams: { a: { url: "http://h" } }\n');
const bad = folder.file('bad.yaml', 'server:\n  prt: 1\n  port: x\n');

test('a valid file is said to be valid and exits with 0', async () => {
  for (const args of [
    ['config', 'check', '-c', good],
    ['-t', '-c', good],
    ['serve', '--check-config', `--config=${good}`],
    ['-tc', good],
  ]) {
    assert.deepEqual(
      await guard(args),
      { code: 0, stdout: `${good}: valid; upstreams: a\n`, stderr: '' },
      args.join(' '),
    );
  }
});

test('every problem of a file stands on a line of its own and the exit code is 78', async () => {
  const stderr = `${bad}:2:3 server.prt: unknown key; did you mean port?\n${bad}:3:9 server.port: expected a whole number from 0 to 65535, found text\n`;
  for (const args of [
    ['config', 'check', '-c', bad],
    ['config', 'print', '-c', bad],
    ['-t', '-c', bad],
    ['healthcheck', '-c', bad],
  ]) {
    assert.deepEqual(await guard(args), { code: 78, stdout: '', stderr }, args.join(' '));
  }
});

test('signatures that would keep the proxy from starting are said by the check, in the same words', async () => {
  const entry = (ignored: string): string =>
    `category: jailbreak\nsignatures:\n  - id: our-codeword\n    name: Our codeword\n    confidence: 0.9\n    why: a test\n    patterns: [zyxwombat]\n    matches: [zyxwombat, a zyxwombat, zyxwombat now]\n    ignores: [wombat, ${ignored}]\n`;
  folder.file('sound.yaml', entry('zyx'));
  folder.file('unsound.yaml', entry('zyxwombat'));
  folder.file('unreadable.yaml', 'signatures: [\n');
  for (const [name, said] of [
    ['sound', null],
    ['unsound', /unsound\.yaml:3:1 our-codeword\.ignores\[1\]: is found although it must be spared/],
    ['unreadable', /unreadable\.yaml:\d+:\d+: /],
    ['absent', /absent\.yaml:1:1: cannot be read \(ENOENT\)/],
  ] as const) {
    const file = folder.file(`with-${name}.yaml`, `server: { port: 0 }\nsignatures: { paths: [${name}.yaml] }\n`);
    const checked = await guard(['config', 'check', '-c', file]);
    assert.equal(checked.code, said === null ? 0 : 78, checked.stderr);
    if (said === null) continue;
    assert.match(checked.stderr, said);
    assert.equal(checked.stdout, '');
    const served = await guard(['-c', file]);
    assert.equal(served.code, 78);
    const problems = (text: string): string => text.replace(/^warning: .*\n/gm, '');
    assert.equal(problems(checked.stderr), problems(served.stderr));
  }
});

test('serving with a bad or missing file exits with 78 and says why', async () => {
  const ran = await guard(['-c', bad]);
  assert.equal(ran.code, 78, ran.stderr);
  assert.match(ran.stderr, /:2:3 server\.prt: unknown key/);
  const missing = await guard(['serve', '-c', `${folder.path}/none.yaml`]);
  assert.equal(missing.code, 78, missing.stderr);
  assert.match(missing.stderr, /none\.yaml\S*: there is no such file/);
});

test('without a file the bundled configuration is checked', async () => {
  const { code, stdout, stderr } = await guard(['config', 'check']);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /default\.yaml: valid; upstreams: llm-a, llm-b\n$/);
});

test('what is printed has defaults, environment and flags applied and no secret', async () => {
  const { code, stdout, stderr } = await guard(
    [
      'config',
      'print',
      '-c',
      good,
      '--set',
      'security.failure_mode=closed',
      '--set',
      'scanner.threads=3',
      '--host',
      '127.0.0.1',
      '-p',
      '9292',
      '--log-level',
      'warn',
    ],
    { GUARD_CONTROL_PLANE_API_KEY: 'planted-secret', GUARD_SERVER__PORT: '9393', GUARD_SERVER__MAX_CONNECTIONS: '77' },
  );
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stdout, /planted/);
  const printed = parse(stdout) as Record<string, Record<string, unknown>>;
  assert.deepEqual(
    [
      printed['server']?.['port'],
      printed['server']?.['host'],
      printed['server']?.['max_connections'],
      printed['security']?.['failure_mode'],
    ],
    [9292, '127.0.0.1', 77, 'closed'],
  );
  assert.deepEqual(
    [printed['scanner']?.['threads'], printed['logging'], printed['control_plane']?.['api_key']],
    [3, { level: 'warn' }, '***'],
  );
});

test('warnings are said and do not fail the check', async () => {
  const { code, stderr } = await guard(['config', 'check', '-c', folder.file('none.yml', 'upstreams: {}')]);
  assert.equal(code, 0);
  assert.match(stderr, /^warning: .*none\.yml:1:12 upstreams: none configured: only \/check works\n$/);
});

test('a signature that is disabled and does not exist is warned of with its place, and the start goes on', async () => {
  const ids = 'signatures:\n  disabled:\n    - override-prior-instructions\n    - override-prior-instuctions\n';
  const file = folder.file('in-vain.yaml', `upstreams: { a: { url: "http://127.0.0.1:9" } }\n${ids}`);
  const { code, stderr } = await guard(['config', 'check', '-c', file]);
  assert.equal(code, 0);
  const said =
    'signatures.disabled[1]: no signature has the id override-prior-instuctions; did you mean override-prior-instructions?';
  assert.match(stderr, /^warning: [^\n]*in-vain\.yaml:5:7 [^\n]*\n$/);
  assert.ok(stderr.includes(said));

  // A variable has one place for all of them.
  const listed = await guard(['config', 'check', '-c', good], { GUARD_SIGNATURES__DISABLED: 'first-of-two, second' });
  assert.equal(listed.code, 0);
  for (const id of ['first-of-two', 'second'])
    assert.match(listed.stderr, new RegExp(`environment GUARD_SIGNATURES__DISABLED: no signature has the id ${id}\\b`));

  const server = { host: '127.0.0.1', port: 0, shutdown_delay_ms: 0 };
  const running = await startProcess({ server, signatures: { disabled: ['no-such-thing'] } });
  running.child.kill('SIGTERM');
  await running.exited;
  assert.ok(
    running.lines().some((line) => line.includes('signatures.disabled[0]: no signature has the id no-such-thing')),
  );
  await running.close();
});

const VAIN = `upstreams:
  a:
    url: http://127.0.0.1:9
    policy:
      exclusions:
        - { signature: override-prior-instuctions, reason: mistyped }
        - { signature: likeness, reason: the statistical scanner has this id }
      shadow:
        exclusions: [{ signature: 'likenes', reason: mistyped }]
  b: { url: http://127.0.0.1:9 }
policy:
  exclusions:
    - { signature: override-prior-instructions, upstream: b, reason: known }
    - { signature: 'hidden:base64>rot-13', upstream: b, reason: a disguise in another }
    - { signature: 'egress:canary', upstream: b, reason: known }
    - { category: jailbreak, upstream: b, reason: names no signature }
    - { signature: likenes, upstream: b, reason: mistyped }
  shadow:
    exclusions: [{ signature: no-such-thing, reason: mistyped }]
`;
const SAID_OF_VAIN = [
  '17:20 policy.exclusions[4].signature: no signature has the id likenes; did you mean likeness?',
  '19:31 policy.shadow.exclusions[0].signature: no signature has the id no-such-thing',
  '6:24 upstreams.a.policy.exclusions[0].signature: no signature has the id override-prior-instuctions; did you mean override-prior-instructions?',
  '9:35 upstreams.a.policy.shadow.exclusions[0].signature: no signature has the id likenes; did you mean likeness?',
];

test('an exclusion that names a signature that does not exist is warned of with its place, wherever it stands', async () => {
  const file = folder.file('excluded-in-vain.yaml', VAIN);
  const { code, stderr } = await guard(['config', 'check', '-c', file]);
  assert.equal(code, 0);
  assert.deepEqual(
    stderr.split('\n').map((line) => line.replace(`warning: ${file}:`, '')),
    [...SAID_OF_VAIN, ''],
  );
});

test('the ids of findings that come from no signature are those that the scanner gives', () => {
  assert.deepEqual(OTHER_IDS, [LIKENESS, CANARY.signature, PROMPT_SECRET.signature]);
});

test('a start and a reload warn of an exclusion that names a signature that does not exist', async (t) => {
  const exclusions = (signature: string) => ({
    policy: { exclusions: [{ signature, until: '2999-01-01', reason: 'r' }] },
  });
  const server = { host: '127.0.0.1', port: 0, shutdown_delay_ms: 0 };
  const running = await startProcess({ server, ...exclusions('likenes') });
  t.after(() => running.close());
  const said = async (typed: string, id: string): Promise<void> => {
    const message = `policy.exclusions[0].signature: no signature has the id ${typed}; did you mean ${id}?`;
    for (let waited = 0; !running.lines().some((line) => line.includes(message)); waited += 10) {
      assert.ok(waited < 10_000, message);
      await sleep(10);
    }
  };
  await said('likenes', 'likeness');
  writeFileSync(running.file, JSON.stringify({ server, ...exclusions('egress:canaryy') }));
  running.child.kill('SIGHUP');
  await said('egress:canaryy', 'egress:canary');
});

test('an unknown variable is a problem of the configuration', async () => {
  const { code, stderr } = await guard(['config', 'check', '-c', good], { GUARD_LOG_LEVL: 'debug' });
  assert.deepEqual(
    [code, stderr],
    [78, 'environment GUARD_LOG_LEVL: unknown variable; did you mean GUARD_LOG_LEVEL?\n'],
  );
});

test('a reader that closes the pipe early is no failure', async () => {
  const child = spawn(process.execPath, [MAIN, 'config', 'print', '-c', good], {
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.deepEqual([code, stderr], [0, '']);
});
