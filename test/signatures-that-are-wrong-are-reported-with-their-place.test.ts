import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { compile } from '../src/detect/ruleset.ts';
import { loadSignatures, parseSignatures } from '../src/signatures/load.ts';

const GOOD = `category: jailbreak
signatures:
  - id: good-one
    name: Good one
    confidence: 0.5
    why: An example.
    patterns: ['open sesame']
    matches: [open sesame, 'Open, sesame!', 'please open sesame now']
    ignores: [open the door, sesame seeds]
`;

test('a sound file becomes signatures that know where they were written', () => {
  const { signatures, problems } = parseSignatures(GOOD, 'good.yaml');
  assert.deepEqual(problems, []);
  assert.equal(signatures.length, 1);
  assert.deepEqual(signatures[0]?.source, { file: 'good.yaml', line: 3 });
  assert.equal(signatures[0]?.category, 'jailbreak');
});

test('endless nesting is refused before the parser, which it would end with the whole process, reads it', () => {
  for (const text of ['['.repeat(200_000), '- '.repeat(100_000), '{a: '.repeat(50_000)]) {
    const started = performance.now();
    assert.deepEqual(
      parseSignatures(text, 'deep.yaml').problems.map(({ message }) => message),
      ['nested too deeply'],
    );
    assert.ok(performance.now() - started < 1000);
  }
});

const wrong: readonly [name: string, from: string, to: string, line: number, message: RegExp][] = [
  ['an unknown key names the key that was meant', 'confidence: 0.5', 'confidance: 0.5', 5, /did you mean 'confidence'/],
  ['a confidence outside 0 to 1 is refused', 'confidence: 0.5', 'confidence: 1.5', 5, /above 0 and below 1/],
  ['a category outside the list is refused', 'category: jailbreak', 'category: gaolbreak', 3, /not one of/],
  [
    'too few matches are refused',
    "[open sesame, 'Open, sesame!', 'please open sesame now']",
    '[open sesame]',
    8,
    /at least 3/,
  ],
  ['too few ignores are refused', '[open the door, sesame seeds]', '[open the door]', 9, /at least 2/],
  ['an entry that looks for nothing is refused', "    patterns: ['open sesame']\n", '', 3, /needs 'patterns'/],
  [
    'a `hidden` that is neither true nor false is refused',
    'confidence: 0.5',
    'confidence: 0.5\n    hidden: sometimes',
    6,
    /'hidden' must be true or false/,
  ],
  ['a name that is not a text is refused', 'name: Good one', 'name: [1]', 4, /must be a text/],
  [
    'a role that does not exist is refused',
    'why: An example.',
    'why: An example.\n    roles: [king]',
    7,
    /'king' is not one of/,
  ],
];
for (const [name, from, to, line, message] of wrong) {
  test(name, () => {
    const { problems } = parseSignatures(GOOD.replace(from, to), 'bad.yaml');
    const found = problems.find((problem) => message.test(problem.message));
    assert.ok(found !== undefined, JSON.stringify(problems));
    assert.equal(found.line, line);
    assert.equal(found.file, 'bad.yaml');
  });
}

for (const [name, example, message] of [
  ['a class that is written backwards', 'open sesame «z-a:4»', /«z-a:4» stands for nothing: z comes after a/],
  ['a class with one range backwards among others', 'open sesame «0-9Z-A:4»', /«0-9Z-A:4» .*: Z comes after A/],
  ['a class that is taken no times', 'open sesame «a-z:0»', /«a-z:0» stands for nothing: give it a length from 1/],
] as const) {
  test(`${name} in an example is refused`, () => {
    for (const [list, line] of [
      ['matches: [open sesame', 8],
      ['ignores: [open the door', 9],
    ] as const) {
      const { problems } = parseSignatures(GOOD.replace(list, `${list}, '${example}'`), 'bad.yaml');
      assert.deepEqual([problems.length, problems[0]?.line], [1, line], JSON.stringify(problems));
      assert.match(problems[0]!.message, message);
    }
  });
}

test('a file that is no YAML is one problem with a line, not an exception', () => {
  const { signatures, problems } = parseSignatures('signatures:\n  - id: [', 'broken.yaml');
  assert.equal(signatures.length, 0);
  assert.ok(problems.length > 0 && problems.every(({ line }) => line >= 1));
});

test('the place of a mistake in the YAML is said once, in front', () => {
  const { problems } = parseSignatures('signatures:\n  - id: a\n bad: [\n', 'broken.yaml');
  assert.ok(problems.length > 0 && problems.every(({ line }) => line >= 3));
  for (const { message } of problems) assert.doesNotMatch(message, /line \d|column \d|:$/);
});

test('aliases that multiply themselves are refused', () => {
  const bomb = [
    'a: &a [x, x]',
    ...Array.from(
      'bcdefghijklmnopqrst',
      (c, i) => `${c}: &${c} [*${'abcdefghijklmnopqrs'[i]}, *${'abcdefghijklmnopqrs'[i]}]`,
    ),
  ];
  const { signatures, problems } = parseSignatures(`${bomb.join('\n')}\nsignatures: *t\n`, 'bomb.yaml');
  assert.equal(signatures.length, 0);
  assert.ok(problems.length > 0);
});

test('an id that is used twice is reported where it is used again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signatures-'));
  try {
    writeFileSync(join(folder, 'a.yaml'), GOOD);
    writeFileSync(join(folder, 'b.yaml'), GOOD);
    const { problems } = loadSignatures([folder]);
    assert.equal(problems.length, 1);
    assert.match(problems[0]?.message ?? '', /already used at .*a\.yaml:3/);
    assert.match(problems[0]?.file ?? '', /b\.yaml$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a path that cannot be read is a problem, not an exception', () => {
  const { problems } = loadSignatures(['/nowhere/at/all']);
  assert.match(problems[0]?.message ?? '', /cannot be read \(ENOENT\)/);
});

const unsound: readonly [name: string, pattern: string, message: RegExp][] = [
  ['look-around is refused', 'a(?=b)c', /look-around/],
  ['a back-reference is refused', '(?:ab)\\1', /back-reference/],
  ['a counted gap is refused', 'ignore.{0,40}rules', /gap/],
  ['an unbounded gap is refused', 'ignore.*rules', /characters; the limit|gap/],
  ['a repeated group of words is refused beyond a few', '(?:ab ){0,9}rules', /repeats a group/],
  ['a pattern that fits everywhere is refused', 'a?', /fewer than 2/],
  ['a capture is refused', '(ab)cd', /captures/],
  ['a group that is not closed is refused', '(?:ab', /not closed/],
  ['what only RE2 can refuse is refused too', 'ab\\p{Nonsense}', /RE2 refuses/],
  ['nesting without end is refused', '(?:'.repeat(40) + 'ab' + ')'.repeat(40), /nested too deeply/],
];
for (const [name, pattern, message] of unsound) {
  test(name, () => {
    const { signatures } = parseSignatures(GOOD.replace("'open sesame'", JSON.stringify(pattern)), 'unsound.yaml');
    const compiled = compile(signatures, []);
    assert.ok('problems' in compiled, 'it compiled');
    const found = compiled.problems.find((problem) => message.test(problem.message));
    assert.ok(found !== undefined, JSON.stringify(compiled.problems));
    assert.deepEqual([found.file, found.line], ['unsound.yaml', 3]);
  });
}
