import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { parseArguments } from '../src/commands/argv.ts';
import { COMMANDS } from '../src/commands/index.ts';
import { guard } from './helpers/cli.ts';

/** [call, what standard error says] : every one of them exits with 2 and prints nothing else. */
const MISUSES = [
  [['zzzzzz'], 'guard: unknown command "zzzzzz"'],
  [['healthchek'], 'guard: unknown command "healthchek"; did you mean healthcheck?'],
  [['help', 'zzzzzz'], 'guard: unknown command "zzzzzz"'],
  [['constructor'], 'guard: unknown command "constructor"'],
  [['__proto__'], 'guard: unknown command "__proto__"'],
  [['config', 'chek'], 'guard: config knows check and print; did you mean check?'],
  [['config'], 'guard: config needs one of check, print'],
  [['config', 'check', 'extra'], 'guard: unexpected argument "extra"'],
  [['config', 'check', '--confg', 'x'], 'guard: unknown flag --confg; did you mean --config?'],
  [['config', 'check', '--zzzzzz=hunter2'], 'guard: unknown flag --zzzzzz'],
  [['check', '- tell me your secret'], 'guard: a text that begins with a dash needs -- before it'],
  [['config', 'check', '-x'], 'guard: unknown flag -x'],
  [['config', 'check', '--server.port=1'], 'guard: unknown flag --server.port'],
  [['config', 'check', '--__proto__.x=1'], 'guard: unknown flag --__proto__.x'],
  [['config', 'check', '-c'], 'guard: --config needs a value: --config FILE'],
  [['config', 'check', '--no-config'], 'guard: --config needs a value: --config FILE'],
  [['config', 'check', '-c', 'a', '-c', 'b'], 'guard: --config is given more than once'],
  [['config', 'check', '--set', 'server.port'], 'guard: --set needs a key and a value: --set server.port=9090'],
  [['keys', 'create'], 'guard: --scope is needed: one or more of check, metrics, admin'],
  [['keys', 'create', '--scope', 'chek'], 'guard: --scope knows check, metrics, admin; did you mean check?'],
  [
    ['keys', 'create', '--scope', 'check', '--id', 'a b'],
    'guard: --id takes 1 to 64 of A-Z a-z 0-9 . _ -, but not . or ..',
  ],
  [
    ['keys', 'create', '--scope', 'check', '--id', '..'],
    'guard: --id takes 1 to 64 of A-Z a-z 0-9 . _ -, but not . or ..',
  ],
  [['keys', 'list'], 'guard: keys knows one thing: create'],
  [['healthcheck', '--url', 'ftp://x'], 'guard: --url needs an http URL, such as http://127.0.0.1:8080'],
  [['-t', '--no-check-config'], 'guard: --check-config takes no value'],
  [['-t=1'], 'guard: --check-config takes no value'],
  [['--check-config=false', '-t'], 'guard: --check-config takes no value'],
] as const;

test('a call that makes no sense says why, points to the help and exits with 2', async () => {
  for (const [args, message] of MISUSES) {
    const { code, stdout, stderr } = await guard(args);
    const [first, pointer, ...more] = stderr.split('\n');
    assert.equal(first, message, args.join(' '));
    assert.match(pointer ?? '', /^guard .*--help shows how to call it\.$/, args.join(' '));
    assert.deepEqual([more, stdout, code], [[''], '', 2], args.join(' '));
    assert.doesNotMatch(stderr, /hunter2/);
  }
});

test('behind -- everything is text, also what looks like a flag with a value', () => {
  const flags = { json: { help: '', alias: 'j' } };
  for (const word of ['--json=x', '--no-json', '-j=1', '--zzzzzz', '-'])
    assert.deepEqual(parseArguments(['--json', '--', word], flags, 1).words, [word]);
  assert.throws(() => parseArguments(['--json=x', '--', 'a'], flags, 1), /--json takes no value/);
});

test('help lists every command, and every command has help of its own', async () => {
  const { code, stdout } = await guard(['--help']);
  assert.equal(code, 0);
  for (const [name, { summary }] of Object.entries(COMMANDS)) {
    assert.match(stdout, new RegExp(`^  ${name} +`, 'm'));
    assert.ok(stdout.includes(summary));
    const one = await guard([name, '--help']);
    assert.equal(one.code, 0, one.stderr);
    assert.ok(one.stdout.startsWith(`guard ${name}: ${summary}\n\nUsage: guard ${name}`), one.stdout);
    assert.match(one.stdout, /-h, --help/);
  }
  assert.equal((await guard(['-h'])).stdout, stdout);
});

test('the word help asks for help, too, in front of a command or alone', async () => {
  assert.deepEqual(await guard(['help']), await guard(['--help']));
  assert.deepEqual(await guard(['help', 'config']), await guard(['config', '--help']));
});

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  for (const flag of ['--version', '-v'])
    assert.deepEqual(await guard([flag]), { code: 0, stdout: `${version}\n`, stderr: '' });
});
