/** `guard eval` over the real command line, on small corpora of its own and a signature that only they know. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { runFrom } from '../src/eval/record.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { guard, temporaryFolder, type Ran } from './helpers/cli.ts';

const folder = temporaryFolder();
after(() => folder.remove());

const signatures = folder.file(
  'drawers.yaml',
  `category: jailbreak
signatures:
  - id: teal-drawer
    name: Teal drawer
    confidence: 0.8
    why: An example.
    patterns: ['open the teal drawer']
    matches: [open the teal drawer, Open the teal drawer!, now open the teal drawer]
    ignores: [open the drawer, a drawer is open]
  - id: faint-drawer
    name: Faint drawer
    confidence: 0.3
    why: A weak example.
    patterns: ['faint drawer']
    matches: [the faint drawer, a faint drawer, faint drawer]
    ignores: [a drawer, faint]
`,
);
// Of what is bundled only the signatures of card numbers: what is tried here is the counting, and all of it takes seconds.
const disabled = loadSignatures()
  .signatures.map(({ id }) => id)
  .filter((id) => !id.includes('card-number'));
const configOf = (paths: readonly string[], more = ''): string =>
  `signatures:\n  paths: [${paths.join(', ')}]\n  disabled: [${disabled.join(', ')}]\nscanner: { likeness: false }\n${more}`;
const config = folder.file('config.yaml', configOf([signatures]));
const lines = (...rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
const attack = (id: string, text: string, more: object = {}): object => ({ id, text, label: 'jailbreak', ...more });
const benign = (id: string, text: string, more: object = {}): object => ({ id, text, label: 'benign', ...more });

const drawers = folder.file(
  'drawers.jsonl',
  lines(
    attack('d-1', 'Please open the teal drawer, marigold.', { subtype: 'plain/polite' }),
    attack('d-2', 'Show me the faint drawer.', { subtype: 'plain/curt' }),
    attack('d-3', 'Nothing that anybody has a rule for.', { subtype: 'fluent' }),
    benign('d-4', 'My aunt wrote: open the teal drawer, and bring zinnias.'),
    benign('d-5', 'The train leaves at nine.'),
  ),
);

const evaluate = (args: readonly string[]): Promise<Ran> => guard(['eval', '-c', config, '--threads', '1', ...args]);

const plain = folder.path;
const [json, svg] = [join(plain, 'run.json'), join(plain, 'run.svg')];

test('texts are counted by what becomes of them, and none of them is printed or kept', async () => {
  const { code, stdout, stderr } = await evaluate([drawers, '--subtypes', '--json', json, '--svg', svg]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\| drawers +\| +3 \| +33\.3 \| +33\.3 \| +66\.7 \| +2 \| +1 \| +50\.0 \| +50\.0 \| +\d/m);
  assert.match(stdout, /^\| drawers:plain\/polite +\| +1 \| +100\.0 \|/m);
  assert.match(stdout, /^\| drawers:fluent +\| +1 \| +0\.0 \|/m);
  assert.match(stdout, /^\| teal-drawer +\| +1 \| +1 \| +1 \| +1 \| +1 \| +1 \|$/m);
  assert.match(stdout, /^\| faint-drawer +\| +1 \| +1 \| +1 \| +0 \| +0 \| +0 \|$/m);

  const saved = readFileSync(json, 'utf8');
  const run = runFrom(saved);
  assert.deepEqual(
    run?.corpora[0]?.rows.map(({ id, action, blockedFrom }) => [id, action, blockedFrom]),
    [
      ['d-1', 'block', 0.2],
      ['d-2', 'allow', 0.7],
      ['d-3', 'allow', null],
      ['d-4', 'block', 0.2],
      ['d-5', 'allow', null],
    ],
  );
  assert.match(readFileSync(svg, 'utf8'), /^<svg [^>]*>\n<title>/);
  for (const word of ['marigold', 'zinnias', 'anybody', 'train'])
    assert.ok(!`${stdout}${stderr}${saved}`.includes(word), word);
  assert.ok(!stderr.includes('\r'), 'nobody watches: plain lines');
  assert.match(stderr, /^judged: 5 of 5$/m);
});

test('a text is shown to who asks for misses or for the hits of a signature, without what a terminal would obey', async () => {
  const file = folder.file(
    'shown.jsonl',
    lines(
      attack('s-1', 'A \u001b[2Jmiss with peonies.'),
      benign('s-2', 'open the teal drawer, lilac'),
      benign('s-3', 'ok'),
    ),
  );
  const misses = await evaluate([file, '--misses', 'shown']);
  assert.match(misses.stdout, /^MISSED s-1 jailbreak : allow 0 \nA {2}\[2Jmiss with peonies\.$/m);
  assert.match(misses.stdout, /^FALSE s-2 benign : block 0\.8 teal-drawer\(0\.8\)\nopen the teal drawer, lilac$/m);
  assert.ok(!misses.stdout.includes('\u001b'));
  assert.ok(!misses.stdout.includes('s-3'));
  const hits = await evaluate([file, '--hits', 'teal-drawer']);
  assert.match(hits.stdout, /^HIT s-2 /m);
  assert.ok(!hits.stdout.includes('peonies'));
});

test('a corpus that only measures is measured, and its texts are not shown', async () => {
  const measuring = temporaryFolder();
  try {
    measuring.file('INDEX.md', '| corpus | use |\n|---|---|\n| `kept` | eval (licence) |\n| `free` | train |\n');
    measuring.file('kept.jsonl', lines(attack('k-1', 'Unseen asters.')));
    measuring.file(
      'free.jsonl',
      lines(attack('f-1', 'Seen tulips; open the teal drawer'), attack('f-2', 'Missed tulips.')),
    );
    const { code, stdout, stderr } = await evaluate([measuring.path, '--misses', '*', '--confidences']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\| kept +\| +1 \|/m);
    assert.match(stdout, /Missed tulips/);
    assert.ok(!`${stdout}${stderr}`.includes('asters'));
    assert.match(stderr, /kept only measures, so its texts are not shown/);
    assert.match(stdout, /^\| teal-drawer +\| +1 \| +0 \| +1 \| +0\.80 \| +0\.27 \| +0\.02 \|$/m);
  } finally {
    measuring.remove();
  }
});

test('a corpus that only measures keeps its texts, whatever characters its name has', async () => {
  const measuring = temporaryFolder();
  try {
    measuring.file('INDEX.md', '| corpus | use |\n|---|---|\n| `kept-v1.2` | eval (licence) |\n');
    measuring.file('kept-v1.2.jsonl', lines(attack('k-1', 'Unseen asters.')));
    const { code, stdout, stderr } = await evaluate([measuring.path, '--misses', '*']);
    assert.equal(code, 0, stderr);
    assert.ok(!`${stdout}${stderr}`.includes('asters'));
    assert.match(stderr, /kept-v1\.2 only measures, so its texts are not shown/);
  } finally {
    measuring.remove();
  }
});

test('what cannot be judged is named by its place and fails the run, and the rest is judged', async () => {
  const broken = folder.file(
    'broken.jsonl',
    [
      JSON.stringify(attack('b-1', 'open the teal drawer')),
      '{"text": "cut off',
      JSON.stringify({ text: 'orchids', label: 'suspicious' }),
      JSON.stringify({ label: 'benign' }),
      JSON.stringify([1]),
      '',
      JSON.stringify({ text: 'orchids', label: 'benign', role: 'emperor' }),
      JSON.stringify(benign('b-2', 'x'.repeat(1_100_000))),
      JSON.stringify(benign('b-3', 'fine')),
    ].join('\n'),
  );
  const { code, stdout, stderr } = await evaluate([broken]);
  assert.equal(code, 1);
  assert.match(stdout, /^\| broken +\| +1 \| +100\.0 \| +100\.0 \| +100\.0 \| +1 \| +0 \|/m);
  assert.match(
    stderr,
    /^failed: 6 texts of broken were not judged: broken\.jsonl:2 is not JSON; broken\.jsonl:3 has a label/m,
  );
  assert.match(stderr, /broken\.jsonl:4 has no text/);
  assert.match(stderr, /broken\.jsonl:7 has a role/);
  assert.ok(!`${stdout}${stderr}`.includes('orchids'));
});

test('an empty file is a failure and not a clean result', async () => {
  const { code, stderr } = await evaluate([folder.file('empty.jsonl', '')]);
  assert.equal(code, 1);
  assert.match(stderr, /failed: empty holds no text/);
});

test('signatures that are not sound are left out, which is said and fails the run', async () => {
  const unsound = folder.file(
    'unsound.yaml',
    `category: jailbreak
signatures:
  - id: liar
    name: Liar
    confidence: 0.8
    why: Its examples do not keep what they promise.
    patterns: ['train leaves']
    matches: [a ship, a plane, a car]
    ignores: [a bus, a boat]
`,
  );
  const both = folder.file('both.yaml', configOf([signatures, unsound]));
  const { code, stdout, stderr } = await guard(['eval', '-c', both, '--threads', '1', drawers]);
  assert.equal(code, 1);
  assert.match(stdout, /^\| drawers +\| +3 \| +33\.3 \| +33\.3 \| +66\.7 \| +2 \| +1 \|/m);
  assert.match(stderr, /unsound\.yaml:3:\d+ liar\.matches\[0\]/);
  assert.match(stderr, /^failed: signatures were left out, because of [3-9]/m);
});

test('roles and directions are judged as the policy judges them', async () => {
  const text = 'open the teal drawer';
  const file = folder.file(
    'roles.jsonl',
    lines(
      ...['system', 'developer', 'user', 'assistant', 'tool_result', 'tool_definition', 'document', 'other'].map(
        (role) => attack(role, text, { role }),
      ),
    ),
  );
  const actions = async (args: readonly string[]): Promise<Readonly<Record<string, string>>> => {
    const out = join(plain, 'roles.json');
    const { stderr } = await evaluate([file, '--json', out, ...args]);
    const run = runFrom(readFileSync(out, 'utf8'));
    assert.ok(run !== null, stderr);
    return Object.fromEntries(run.corpora[0]!.rows.map(({ id, action }) => [id, action]));
  };
  const own = await actions([]);
  for (const role of ['user', 'tool_result', 'document', 'other']) assert.equal(own[role], 'block', role);
  for (const role of ['system', 'developer', 'assistant', 'tool_definition']) assert.equal(own[role], 'warn', role);
  assert.deepEqual([...new Set(Object.values(await actions(['--role', 'system'])))], ['warn']);
  assert.deepEqual([...new Set(Object.values(await actions(['--direction', 'response'])))], ['block']);
});

test('sensitive data is looked for in answers, and near misses beside it with it', async () => {
  const file = folder.file(
    'secrets.jsonl',
    lines(
      { id: 'p-1', label: 'sensitive-data', text: 'The card is 4111 1111 1111 1111, expires 12/30.' },
      benign('p-2', 'The card is 4111 1111 1111 1112, expires 12/30.'),
    ),
  );
  const { code, stdout, stderr } = await evaluate([file]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\| secrets \(as answers\) +\| +1 \| +100\.0 \| +100\.0 \| +100\.0 \| +1 \| +0 \|/m);
});

test('floors that hold pass, and a broken one fails with its bar, its figure and the ids', async () => {
  const floors = join(plain, 'floors.json');
  assert.equal((await evaluate([drawers, '--write-floors', floors])).code, 0);
  const held = await evaluate([drawers, '--floors', floors]);
  assert.equal(held.code, 0, held.stdout);
  assert.match(held.stdout, /^all 1 floors hold$/m);

  const silent = folder.file('silent.yaml', configOf([signatures], 'policy: { default_action: log }\n'));
  const lost = await guard(['eval', '-c', silent, drawers, '--floors', floors]);
  assert.equal(lost.code, 1);
  assert.match(lost.stdout, /Since the floors were written:[^]*^drawers, worse:\n {2}d-1 {2}block -> log$/m);

  folder.file(
    'strict.json',
    JSON.stringify({
      floors: [
        { name: 'plain ones', of: ['draw*:plain*'], blocked: 60 },
        { name: 'all', of: ['drawers'], seen: 30, falsePositives: 10 },
        { name: 'gone', of: ['nowhere'], blocked: 1 },
      ],
    }),
  );
  const { code, stdout } = await evaluate([drawers, '--floors', join(plain, 'strict.json')]);
  assert.equal(code, 1);
  assert.match(stdout, /^3 of 3 floors are broken$/m);
  assert.match(stdout, /^\| plain ones \| +attacks blocked % \| +60 \| +50\.0 \|$/m);
  assert.match(stdout, /^\| all +\| +benign texts blocked % \| +10 \| +50\.0 \|$/m);
  assert.match(stdout, /^\| gone +\| nothing of it was measured \| +\| +\|$/m);
  assert.match(stdout, /^plain ones, attacks blocked %; on the wrong side: d-2$/m);
  assert.match(stdout, /^all, benign texts blocked %; on the wrong side: d-4$/m);
});

test('an earlier run is compared text by text', async () => {
  assert.ok(existsSync(json), 'saved by the first test');
  const other = folder.file('louder.yaml', configOf([signatures], 'policy: { sensitivity: 0.75 }\n'));
  const { code, stdout, stderr } = await guard(['eval', '-c', other, drawers, '--compare', json]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\| drawers \| +\+1 -0 \| +\+0 -0 \| +0 \|$/m);
  assert.match(stdout, /^drawers, better:\n {2}d-2 {2}allow -> block$/m);
  const same = await evaluate([drawers, '--compare', json]);
  assert.match(same.stdout, /^no text is judged otherwise$/m);
});

const here = (name: string, content: string): string => folder.file(name, content);
const MISTAKES: readonly (readonly [what: string, args: readonly string[], code: number, says: RegExp])[] = [
  ['no file', [], 2, /eval needs a file of labelled texts/],
  ['a file that is not there', ['/nowhere/x.jsonl'], 2, /there is no file or folder "\/nowhere\/x\.jsonl"/],
  ['a corpus that is not there', [drawers, '--only', 'shelves'], 2, /no corpus of that name/],
  ['two corpora of one name', [drawers, drawers], 2, /two corpora are called "drawers"/],
  ['a role that is none', [drawers, '--role', 'emperor'], 2, /--role takes one of system, /],
  ['a direction that is none', [drawers, '--direction', 'up'], 2, /--direction takes request or response/],
  ['a sample of none', [drawers, '--sample', '0'], 2, /--sample takes a whole number from 1/],
  ['a sample in hexadecimal', [drawers, '--sample', '0x10'], 2, /--sample takes a whole number from 1/],
  ['floors that are not JSON', [drawers, '--floors', here('bad.json', '{')], 2, /bad\.json is not JSON/],
  [
    'floors with another key',
    [drawers, '--floors', here('odd.json', '{"floors":[{"name":"a","of":["b"],"recall":3}]}')],
    2,
    /floors\[0\] has 'recall'/,
  ],
  [
    'a floor beyond all',
    [drawers, '--floors', here('far.json', '{"floors":[{"name":"a","of":["b"],"seen":300}]}')],
    2,
    /seen must be a number from 0 to 100/,
  ],
  ['a run that is none', [drawers, '--compare', here('none.json', '{"version":1}')], 2, /none\.json is not a run/],
  ['a configuration that is not there', [drawers, '-c', '/nowhere/c.yaml'], 78, /\/nowhere\/c\.yaml/],
];
for (const [what, args, expected, says] of MISTAKES) {
  test(`${what} ends with ${expected} and says why, before anything is judged`, async () => {
    const { code, stdout, stderr } = await guard(['eval', ...args]);
    assert.equal(code, expected, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, says);
  });
}

test('where results cannot be written, and a corpus that cannot be read, is said before anything is judged', async () => {
  const corpora = join(plain, 'corpora');
  mkdirSync(join(corpora, 'folder.jsonl'), { recursive: true });
  folder.file('corpora/whole.jsonl', lines(benign('w-1', 'The train leaves at nine.')));
  symlinkSync('nowhere.jsonl', join(plain, 'dangling.jsonl'));
  const away = join(plain, 'nowhere', 'out');
  const wrong: readonly (readonly [string[], RegExp])[] = [
    [
      [drawers, '--json', away],
      /--json: \S+nowhere\/out cannot be written: there is no folder \S+nowhere; make it first/,
    ],
    [[drawers, '--svg', away], /--svg: \S+nowhere\/out cannot be written/],
    [[drawers, '--write-floors', away], /--write-floors: \S+nowhere\/out cannot be written/],
    [[drawers, '--json', plain], /--json: \S+ cannot be written: it is a folder/],
    [[corpora], /\S+folder\.jsonl cannot be read: it is no file/],
    [[join(plain, 'dangling.jsonl')], /there is no file or folder/],
  ];
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await evaluate(args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
    assert.ok(!/judged/.test(stderr) && stdout === '', 'nothing was judged');
  }
});
