import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import RE2 from 're2';
import { prove } from '../src/detect/prove/prove.ts';
import { compile } from '../src/detect/ruleset.ts';
import { IDEAS } from '../src/signatures/ideas.ts';
import { loadSignatures, parseSignatures } from '../src/signatures/load.ts';

const GOOD = `language: en
category: jailbreak
words:
  open: ['open(s|ed)?', unlock]
  gate: [gate, '{metal} door']
  metal: [iron, steel]
intents:
  - id: gate-opened
    name: Gate opened
    confidence: 0.5
    why: An example.
    forms:
      - '{open} the {gate}'
      - '{open} ... {gate} ... now|at once'
    within: 12
    matches: [Open the gate!, 'At once, unlock that iron door.', He opens the steel door]
    ignores: [the wooden door, open the window now]
`;

test('an intent becomes patterns, groups and an id with its language', () => {
  const { signatures, problems } = parseSignatures(GOOD, 'good.yaml');
  assert.deepEqual(problems, []);
  const [one] = signatures;
  assert.ok(one !== undefined && signatures.length === 1);
  assert.equal(one.id, 'gate-opened-en');
  assert.equal(one.name, 'Gate opened');
  assert.equal(one.category, 'jailbreak');
  assert.equal(one.within, 12);
  assert.deepEqual(one.patterns, ['(?:open(?:s|ed)?|unlock) the (?:gate|(?:iron|steel) door)']);
  assert.deepEqual(one.near, [
    ['open(?:s|ed)?', 'unlock'],
    ['gate', '(?:iron|steel) door'],
    ['now', 'at once'],
  ]);
  assert.deepEqual(one.source, { file: 'good.yaml', line: 8 });
});

test('a word behind a tilde stands for its slips of the hand, each once, and not for itself', () => {
  const { signatures, problems } = parseSignatures(GOOD.replace("'open(s|ed)?', unlock", '~unlock'), 'good.yaml');
  assert.deepEqual(problems, []);
  const slips = signatures[0]!.near![0]!;
  for (const slip of ['unolck', 'nulock', 'unlok', 'uunlock', 'unlockk', 'unwock', 'unlcok'])
    assert.equal(slips.filter((one) => one === slip).length, slip === 'nulock' ? 0 : 1, slip);
  assert.ok(!slips.includes('unlock'));
  assert.ok(
    slips.every((slip) => slip.startsWith('u')),
    'the first letter stays',
  );
});

test('a class behind an exclamation mark does not follow, and one before it does not stand before', () => {
  const barred = (form: string): RE2 => {
    const text = GOOD.replace(
      '  metal: [iron, steel]',
      "  metal: [iron, steel]\n  hall: [' of {lord}']\n  lord: ['the ', 'a king']\n  my: ['my ', 'our ']",
    );
    const { signatures, problems } = parseSignatures(text.replace("'{open} the {gate}'", `'${form}'`), 'good.yaml');
    assert.deepEqual(problems, []);
    return new RE2(signatures[0]!.patterns[0]!, 'iu');
  };
  const behind = barred('the gate{!hall}');
  for (const text of [
    'the gate',
    'the gate.',
    'the gate of',
    'the gate of theirs',
    'the gate of a kin',
    'the gate, of the castle',
  ])
    assert.ok(behind.test(text), text);
  for (const text of [
    'the gate of the castle',
    'the gate of a king',
    'the gate of a kingdom',
    'the gates',
    'the gate5',
  ])
    assert.ok(!behind.test(text), text);
  const before = barred('{my!}gate');
  for (const text of ['gate', 'his gate', '(gate', 'y gate']) assert.ok(before.test(text), text);
  for (const text of ['my gate', 'in our gate', 'ygate', '5gate']) assert.ok(!before.test(text), text);
});

test('what an intent expands to finds its matches and spares its ignores', () => {
  const { signatures } = parseSignatures(GOOD, 'good.yaml');
  const compiled = compile(signatures, []);
  assert.ok('ruleset' in compiled, JSON.stringify(compiled));
  assert.deepEqual(prove(compiled.ruleset, signatures), []);
  const liar = GOOD.replace('the wooden door', 'he opened the gate');
  const liars = parseSignatures(liar, 'liar.yaml').signatures;
  const lying = compile(liars, []);
  assert.ok('ruleset' in lying);
  assert.deepEqual(
    prove(lying.ruleset, liars).map(({ path }) => path),
    ['gate-opened-en.ignores[0]'],
  );
});

test('the example of the page is sound', () => {
  const page = readFileSync('docs/signatures.md', 'utf8');
  const [, example] = /\n## Intents\n[\s\S]*?```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  assert.ok(example !== undefined);
  const { signatures, problems } = parseSignatures(example, 'page.yaml');
  assert.deepEqual(problems, []);
  assert.ok(signatures.length > 0);
  const compiled = compile(signatures, []);
  assert.ok('ruleset' in compiled, JSON.stringify(compiled));
  assert.deepEqual(prove(compiled.ruleset, signatures), []);
});

test('an idea brings what every language says alike, and the intent goes before it', () => {
  const named = GOOD.replace('language: en', 'language: de')
    .replace('id: gate-opened\n    name: Gate opened', 'idea: drop-orders')
    .replace('    why: An example.\n', '');
  const { signatures, problems } = parseSignatures(named, 'de.yaml');
  assert.deepEqual(problems, []);
  assert.equal(signatures[0]?.id, 'drop-orders-de');
  assert.equal(signatures[0]?.name, `${IDEAS['drop-orders'].name} (German)`);
  assert.equal(signatures[0]?.why, IDEAS['drop-orders'].why);
  assert.equal(signatures[0]?.category, 'prompt-injection');
  assert.equal(signatures[0]?.within, 12);
});

const wrong: readonly [name: string, from: string, to: string, line: number, message: RegExp][] = [
  [
    'a class that is not there is refused',
    "'{open} the {gate}'",
    "'{opne} the {gate}'",
    13,
    /'\{opne\}' is no word class/,
  ],
  ['a class that is not there is refused inside a class', "'{metal} door'", "'{metla} door'", 13, /\{metla\}/],
  ['an empty class is refused', '  metal: [iron, steel]', '  metal: []', 6, /'metal' is empty/],
  ['a class that is no list is refused', '  metal: [iron, steel]', '  metal: iron', 6, /'metal' is empty/],
  [
    'a pattern that is to be refused is refused',
    "'{open} the {gate}'",
    "'the {gate}{!open}'",
    13,
    /'open\(s\|ed\)\?' is a pattern/,
  ],
  ['a word that is not a text is refused', '[iron, steel]', '[iron, 7]', 6, /list of texts/],
  ['classes that go in a circle are refused', '[iron, steel]', "['{gate}']", 13, /deep in each other/],
  ['missing examples are refused', '[the wooden door, open the window now]', '[]', 17, /at least 2/],
  ['too few matches are refused', 'He opens the steel door]', ']', 16, /at least 3/],
  ['an idea that nobody had is refused', 'id: gate-opened', 'idea: gate-opened', 8, /'gate-opened' is not one of/],
  ['a language that is no code is refused', 'language: en', 'language: Dothraki', 1, /'language' must be a code/],
  ['an intent without forms is refused', "      - '{open} the {gate}'\n", '      - 7\n', 13, /must be a text/],
  ['a second form of scattered parts is refused', "'{open} the {gate}'", "'{open} ... {gate}'", 14, /only one form/],
  ['an unknown key names the key that was meant', '    forms:', '    form:', 12, /did you mean 'forms'/],
];
for (const [name, from, to, line, message] of wrong) {
  test(name, () => {
    assert.ok(GOOD.includes(from));
    const { problems } = parseSignatures(GOOD.replace(from, to), 'bad.yaml');
    const found = problems.find((problem) => message.test(problem.message));
    assert.ok(found !== undefined, JSON.stringify(problems));
    assert.deepEqual([found.file, found.line], ['bad.yaml', line]);
  });
}

test('a class that multiplies itself is refused before it fills the memory', () => {
  const many = Array.from({ length: 400 }, (_, i) => `word-number-${i}`).join(', ');
  const bomb = GOOD.replace('[iron, steel]', `[${many}]`)
    .replace("'{metal} door'", "'{metal}{metal}{metal}'")
    .replace("'{open} the {gate}'", "'{gate}{gate}{gate}{gate}'");
  const { signatures, problems } = parseSignatures(bomb, 'bomb.yaml');
  assert.equal(signatures.length, 0);
  assert.ok(
    problems.some(({ message }) => /becomes too long/.test(message)),
    JSON.stringify(problems),
  );
});

test('groups without end overflow nothing', () => {
  const deep = `${'('.repeat(3000)}x|y${')'.repeat(3000)}`;
  const { signatures } = parseSignatures(GOOD.replace('now|at once', deep), 'deep.yaml');
  assert.ok('problems' in compile(signatures, []));
});

test('every file of intents is in the language that its name says, and every idea has at least one language', () => {
  const folder = new URL('../src/signatures/intents/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  assert.ok(files.includes('en.yaml'));
  for (const file of files) {
    const text = readFileSync(new URL(file, folder), 'utf8');
    const language = /^language: (\S+)/m.exec(text)?.[1] ?? 'none';
    assert.match(file.toLowerCase(), new RegExp(`^${language.toLowerCase()}(?:-[a-z]+)?\\.yaml$`));
  }
  const ids = loadSignatures().signatures.map(({ id }) => id);
  for (const idea of Object.keys(IDEAS))
    assert.ok(
      ids.some((id) => id.startsWith(`${idea}-`)),
      `${idea} is in no language`,
    );
});
