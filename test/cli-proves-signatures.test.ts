/** `guard signatures lint` and `test` over the real command line. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { judgeBenign } from '../src/commands/benign.ts';
import { createProgress } from '../src/commands/progress.ts';
import { KINDS } from '../src/detect/prove/hostile.ts';
import { VALIDATORS } from '../src/detect/validators/index.ts';
import type { Scanner } from '../src/scanner/scanner.ts';
import { BUILD_OUT, guard, MAIN, temporaryFolder } from './helpers/cli.ts';
import { configOf } from './helpers/config.ts';

const folder = temporaryFolder();
after(() => folder.remove());

const entry = (id: string, changes: Readonly<Record<string, string>> = {}): string => {
  const lines = {
    id,
    name: 'Crimson drawer',
    confidence: '0.8',
    why: 'An example.',
    patterns: `['open the ${id} drawer']`,
    matches: `[open the ${id} drawer, 'Open the ${id.toUpperCase()} drawer!', now open the ${id} drawer]`,
    ignores: '[open the drawer, a drawer is open]',
    ...changes,
  };
  const [first, ...rest] = Object.entries(lines).map(([key, value]) => `${key}: ${value}`);
  return `  - ${first}\n${rest.map((line) => `    ${line}\n`).join('')}`;
};
const fileOf = (...entries: string[]): string => `category: jailbreak\nsignatures:\n${entries.join('')}`;

test('the bundled signatures are sound, and the summary counts them by category', async () => {
  const { code, stdout, stderr } = await guard(['signatures', 'lint']);
  assert.equal(code, 0, stderr);
  const found = /^(\d+) signatures are sound: (.+) \(\d+\.\d s\)\n$/.exec(stdout);
  assert.ok(found !== null, stdout);
  const counts = [...found[2]!.matchAll(/(\d+) [a-z-]+/g)].map(([, count]) => Number(count));
  assert.equal(counts.length, 4);
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    Number(found[1]),
  );
});

test('every problem is said at once, at its line and column and with its cure: of shape, of engine, of example', async () => {
  const shape = folder.file('shape.yaml', fileOf(entry('shape', { confidence: '1.5' })));
  const rest = folder.file(
    'rest.yaml',
    fileOf(
      entry('gap', { patterns: "['open.{0,40}drawer']" }),
      entry('look', { patterns: "\n      - 'open the look drawer'\n      - 'open(?= sesame)'" }),
      entry('liar', { ignores: '\n      - open the drawer\n      - please open the liar drawer' }),
    ),
  );
  const { code, stdout, stderr } = await guard(['signatures', 'lint', shape, rest]);
  assert.equal(code, 1);
  assert.match(stdout, /^4 problems in \d+ signatures/);
  const lines = stderr.trim().split('\n');
  assert.equal(lines.length, 4, stderr);
  assert.match(lines[0]!, /shape\.yaml:5:5 .*'confidence' must be a number above 0 and below 1/);
  assert.match(lines[1]!, /rest\.yaml:7:5 gap\.patterns\[0\]: .*use near groups instead/);
  assert.match(lines[2]!, /rest\.yaml:16:9 look\.patterns\[1\]: .*look-around.*; write the honest case/);
  assert.match(lines[3]!, /rest\.yaml:27:9 liar\.ignores\[1\]: .*please open the liar drawer'; narrow the pattern/);
});

test('an example quotes what it likes, and the cure is still of what is wrong with it', async () => {
  const file = folder.file(
    'quote.yaml',
    fileOf(entry('quote', { matches: "['would be blocked as x by y', a b, c d]" })),
  );
  const { stdout } = await guard(['signatures', 'lint', file, '--json']);
  const { problems } = JSON.parse(stdout) as { problems: { cure: string; line: number; path: string }[] };
  assert.deepEqual(
    problems.map(({ path, line }) => [path, line]),
    [0, 1, 2].map((i) => [`quote.matches[${i}]`, 8]),
  );
  assert.ok(
    problems.every(({ cure }) => cure.startsWith('widen a pattern')),
    stdout,
  );
});

test('signatures of a configuration are read with -c, and those that it disables are left out', async () => {
  const own = folder.file('configured.yaml', fileOf(entry('configured'), entry('left-out', { ignores: '[x]' })));
  const config = folder.file('config.yaml', `signatures:\n  paths: [${own}]\n`);
  const broken = await guard(['signatures', 'lint', '-c', config]);
  assert.equal(broken.code, 1, broken.stderr);
  assert.match(broken.stderr, /configured\.yaml:16:5 .*needs at least 2/);

  const plain = folder.file('plain.yaml', fileOf(entry('plain')));
  const [all, fewer] = [
    await guard(['signatures', 'lint', '--json', '-c', folder.file('all.yaml', `signatures:\n  paths: [${plain}]\n`)]),
    await guard([
      'signatures',
      'lint',
      '--json',
      '-c',
      folder.file('fewer.yaml', `signatures:\n  paths: [${plain}]\n  disabled: [plain]\n`),
    ]),
  ];
  const count = ({ stdout }: { stdout: string }): number => (JSON.parse(stdout) as { signatures: number }).signatures;
  assert.equal(count(all), count(fewer) + 1);
});

test('a file that is named, and lies in a folder that the configuration names, is read once', async () => {
  const own = join(folder.path, 'own');
  mkdirSync(own);
  folder.file('own/named.yaml', fileOf(entry('named')));
  const config = folder.file('folder.yaml', `signatures:\n  paths: [${own}]\n`);
  symlinkSync('own', join(folder.path, 'also-own'));
  for (const path of ['own', 'also-own'].map((name) => join(folder.path, name, 'named.yaml'))) {
    const { code, stdout, stderr } = await guard([
      'signatures',
      'test',
      '--json',
      '--slowest',
      '0',
      '-c',
      config,
      path,
    ]);
    assert.equal(code, 0, stderr);
    const { problems, costs } = JSON.parse(stdout) as { problems: unknown[]; costs: { signature: string }[] };
    assert.deepEqual(problems, []);
    assert.deepEqual(new Set(costs.map(({ signature }) => signature)), new Set(['named']));
  }
});

test('a file that is not there is a problem with its cure, and nothing is proven first', async () => {
  const { code, stdout, stderr } = await guard(['signatures', 'lint', '/nowhere/own.yaml']);
  assert.equal(code, 1);
  assert.match(stderr, /^\/nowhere\/own\.yaml:1:1: cannot be read \(ENOENT\); no such file or folder/);
  assert.match(stdout, /^1 problem in 0 signatures/);
});

test('files of which nothing can be read are a problem at once, and nothing is proven first', async () => {
  const torn = folder.file('torn.yaml', 'category: [jailbreak\n');
  const high = folder.file('high.yaml', fileOf(entry('high', { confidence: '1.5' })));
  const { code, stdout, stderr } = await guard(['signatures', 'lint', torn, high]);
  assert.equal(code, 1);
  assert.match(stderr, /torn\.yaml:/);
  assert.match(stderr, /high\.yaml:5:5 .*'confidence' must be a number above 0 and below 1/);
  assert.match(stdout, /^\d problems in 0 signatures/);
});

test("a test of one's own file measures its signatures alone, against the bar that was asked for", async () => {
  const own = folder.file('own.yaml', fileOf(entry('own')));
  const easy = await guard(['signatures', 'test', '--slowest', '0.001', own]);
  assert.equal(easy.code, 0, easy.stdout + easy.stderr);
  assert.match(easy.stdout, /\d+\.\d {4}own {8}broken off\n/);
  assert.equal(easy.stdout.match(/broken off|refused|out of reach/g)?.length, 1);
  assert.match(easy.stdout, /all is well\n$/);

  const hard = await guard(['signatures', 'test', '--slowest', '1e9', '--json', own]);
  assert.equal(hard.code, 1);
  const { costs, failures } = JSON.parse(hard.stdout) as {
    costs: { signature: string; mbPerSecond: number }[];
    failures: string[];
  };
  assert.deepEqual(
    costs.map(({ signature }) => signature),
    ['own'],
  );
  assert.ok(costs[0]!.mbPerSecond > 0);
  assert.match(failures[0]!, /^1 of 1 hostile texts are scanned below 1000000000 MB\/s/);
});

test('benign texts are counted, the blocked ones by their place and never by their words', async () => {
  const own = folder.file('own-benign.yaml', fileOf(entry('teal')));
  const benign = temporaryFolder();
  try {
    benign.file('letter.txt', 'Dear all, thank you for the meeting.');
    benign.file(
      'rows.jsonl',
      [
        JSON.stringify({ text: 'The train leaves at nine.' }),
        JSON.stringify({ text: 'My aunt said: open the teal drawer, and bring zinnias.' }),
        '',
        JSON.stringify({ text: 'No newline at the end of this one.' }),
      ].join('\n'),
    );
    benign.file('ignored.md', 'open the teal drawer');
    const run = (...more: string[]) =>
      guard(['signatures', 'test', '--slowest', '0.001', '--benign', benign.path, own, ...more]);

    const strict = await run();
    assert.equal(strict.code, 1, strict.stderr);
    assert.match(strict.stdout, /Benign text: 4 texts/);
    assert.match(strict.stdout, /blocked when sent by a client +1 \(25\.00 %\)/);
    assert.match(strict.stdout, / 1 {2}teal\n/);
    assert.match(strict.stdout, /rows\.jsonl:2 {2}request {2}jailbreak {2}Crimson drawer {2}0\.80/);
    assert.match(strict.stdout, /failed: 1 of 4 benign texts would be blocked; 0 may be/);
    assert.ok(!`${strict.stdout}${strict.stderr}`.includes('zinnias'));
    assert.ok(!strict.stderr.includes('\x1b') && !strict.stderr.includes('\r'), 'nobody watches: plain lines');
    assert.match(strict.stderr, /^measured: 1 of 1$/m);

    const lenient = await run('--most-blocked', '1', '--json');
    assert.equal(lenient.code, 0, lenient.stdout);
    const judged = (JSON.parse(lenient.stdout) as { benign: { blocked: unknown; texts: number } }).benign;
    assert.equal(judged.texts, 4);
    assert.deepEqual(judged.blocked, { request: 1, response: 1 });

    benign.file('broken.jsonl', '{"text":"fine"}\n{"prompt":"x"}\nnot json\n');
    benign.file('huge.txt', 'a '.repeat(600_000));
    const unread = await run('--most-blocked', '1');
    assert.equal(unread.code, 1);
    assert.match(unread.stdout, /failed: 3 texts were not judged: .*broken\.jsonl:2 has no text/);
    assert.match(unread.stdout, /broken\.jsonl:3 is not JSON/);
    assert.match(unread.stdout, /huge\.txt is longer than 1048576 bytes/);
  } finally {
    benign.remove();
  }
});

test('a text that could not be judged as an answer counts nowhere, and shares stay below 100 %', async () => {
  const benign = temporaryFolder();
  try {
    benign.file('letter.txt', 'Dear all, thank you for the meeting.');
    const finding = {
      signature: 's',
      name: 'S',
      category: 'jailbreak',
      confidence: 0.9,
      role: 'user',
      where: '',
      via: [],
    };
    const scan = async ({ direction }: { readonly direction: string }): Promise<object> =>
      direction === 'request' ? { kind: 'report', findings: [finding] } : { kind: 'timeout' };
    const { policy } = configOf('');
    const judged = await judgeBenign({ scan } as unknown as Scanner, policy, benign.path, () => {});
    assert.deepEqual([judged.texts, judged.unreadCount, judged.blocked], [0, 1, { request: 0, response: 0 }]);
    assert.deepEqual(judged.places, []);
  } finally {
    benign.remove();
  }
});

test('a folder without texts is a failure, not a clean result', async () => {
  const own = folder.file('own-empty.yaml', fileOf(entry('umber')));
  const empty = temporaryFolder();
  try {
    const { code, stdout } = await guard(['signatures', 'test', '--slowest', '0.001', '--benign', empty.path, own]);
    assert.equal(code, 1);
    assert.match(stdout, /failed: the folder holds no text/);
  } finally {
    empty.remove();
  }
});

const MISTAKES: readonly (readonly [what: string, args: readonly string[], code: number, says: RegExp])[] = [
  ['no action', [], 2, /signatures needs one of lint, test/],
  ['an action it does not know', ['lnt'], 2, /did you mean lint\?/],
  ['a flag of the other action', ['lint', '--benign', '.'], 2, /lint takes no --benign/],
  ['a number that is none', ['test', '--slowest', 'fast'], 2, /--slowest takes a number/],
  ['a folder that is not there', ['test', '--benign', '/nowhere'], 2, /--benign needs a folder that is there/],
  ['a configuration that is not there', ['lint', '-c', '/nowhere/c.yaml'], 78, /\/nowhere\/c\.yaml/],
];
for (const [what, args, expected, says] of MISTAKES) {
  test(`${what} ends with ${expected} and says why`, async () => {
    const { code, stdout, stderr } = await guard(['signatures', ...args]);
    assert.equal(code, expected, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, says);
  });
}

test('on a terminal progress is one line that is rewritten and wiped, elsewhere a line now and then', () => {
  const written = (isTTY: boolean): string => {
    let text = '';
    const out = Object.assign(new EventEmitter(), { isTTY, write: (part: string) => ((text += part), true) });
    const progress = createProgress(out as unknown as NodeJS.WriteStream);
    for (let i = 0; i <= 100; i += 1) progress.at('measured', i, 100);
    progress.end();
    return text;
  };
  const watched = written(true);
  assert.ok(!watched.includes('\n') && watched.endsWith('\r\x1b[2K'), JSON.stringify(watched));
  assert.equal(written(false), 'measured: 0 of 100\nmeasured: 100 of 100\n');
});

test('the page on signatures names every check, every kind of hostile text and every flag', async () => {
  const page = readFileSync(join(BUILD_OUT, '../docs/signatures.md'), 'utf8');
  const { stdout } = await guard(['signatures', '--help']);
  const flags = [...stdout.matchAll(/--([a-z-]+)/g)].map(([flag]) => flag).filter((flag) => flag !== '--config');
  assert.ok(flags.includes('--benign'), stdout);
  const checks = Object.keys(VALIDATORS).map((name) => `\`${name}\``);
  const kinds = KINDS.map((kind) => `| ${kind} |`);
  assert.deepEqual(
    [...checks, ...kinds, ...flags.filter((flag) => flag !== '--help')].filter((word) => !page.includes(word)),
    [],
  );
});

test('whoever watches on a terminal sees that signatures are being proven', { skip: !hasTerminals() }, async () => {
  const command = `'${process.execPath}' '${MAIN}' signatures lint`;
  const child = spawn('script', ['-qfec', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let seen = '';
  for await (const piece of child.stdout.setEncoding('utf8')) {
    seen += String(piece);
    // The proof itself takes half a minute on a busy machine, and is another test's.
    if (/proving \d+ signatures: \d+ s/.test(seen)) break;
  }
  child.kill();
  assert.match(seen, /proving \d+ signatures: 0 s/);
});

/** `script` of util-linux runs a command on a terminal of its own; that of other systems is called in another way. */
function hasTerminals(): boolean {
  return process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
}
