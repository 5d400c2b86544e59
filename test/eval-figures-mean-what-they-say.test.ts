/** The figures of an evaluation, from judged texts made by hand. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { configOf } from './helpers/config.ts';
import type { Finding } from '../src/domain/finding.ts';
import { decide } from '../src/domain/policy.ts';
import { signatureTallies } from '../src/eval/signature-tallies.ts';
import { chart } from '../src/eval/chart.ts';
import { compareRuns } from '../src/eval/compare.ts';
import { confidencesOf, leaveOneOut } from '../src/eval/confidences.ts';
import { curveOf } from '../src/eval/curve.ts';
import { parseFloorFile } from '../src/eval/floor-file.ts';
import { floorsFromRun } from '../src/eval/floors-from-run.ts';
import { brokenFloors, rowsUnder } from '../src/eval/floors.ts';
import { judge, STEPS, type Judged } from '../src/eval/judge.ts';
import { matchesPattern } from '../src/eval/name-pattern.ts';
import { labelledRow } from '../src/eval/labelled.ts';
import { markedRun, marksOf } from '../src/eval/marks.ts';
import { runFrom, type CorpusRun } from '../src/eval/record.ts';
import { meanOf, subtypesOf, tallyOf } from '../src/eval/tally.ts';

const { policy } = configOf('');
const scene = { direction: 'request', upstream: null, path: '', client: () => null, now: 0 } as const;

function finding(signature: string, confidence: number, more: Partial<Finding> = {}): Finding {
  return { signature, name: signature, category: 'jailbreak', confidence, role: 'user', where: '', via: [], ...more };
}

function judged(id: string, label: Judged['label'], findings: readonly Finding[] = [], subtype = ''): Judged {
  const row = { id, text: '', label, subtype, role: null };
  const made = judge(policy, row, { kind: 'report', findings, unscannable: {} }, 'request');
  assert.ok(made !== null);
  return made;
}

function corpus(name: string, rows: readonly Judged[], more: Partial<CorpusRun> = {}): CorpusRun {
  const rest = { characters: 0, cpuMs: 0, unread: { count: 0, first: [] } };
  return { name, direction: 'request', measuredOnly: false, rows, ...rest, ...more };
}

const many = (count: number, of: (i: number) => Judged): readonly Judged[] =>
  Array.from({ length: count }, (_, i) => of(i));

test('a text is blocked from the sensitivity on at which the policy itself begins to block it', () => {
  const cases: readonly (readonly Finding[])[] = [
    [finding('a', 0.5)],
    [finding('a', 0.3), finding('b', 0.3)],
    [finding('a', 0.9, { role: 'system' })],
    [finding('a', 0.07), finding('b', 0.99, { category: 'encoding-evasion' })],
    [finding('a', 0.97), finding('a', 0.2)],
  ];
  for (const findings of cases) {
    const { blockedFrom } = judged('x', 'jailbreak', findings);
    for (let step = 0; step <= STEPS; step += 1) {
      const { action } = decide(configOf(`policy: { sensitivity: ${step / STEPS} }`).policy, findings, scene);
      assert.equal(action === 'block', blockedFrom !== null && blockedFrom <= step / STEPS, `${step} ${blockedFrom}`);
    }
  }
});

test('a category with a sensitivity of its own keeps it', () => {
  const own = configOf('policy: { categories: { jailbreak: { sensitivity: 0.1 } } }').policy;
  const row = { id: 'x', text: '', label: 'jailbreak', subtype: '', role: null } as const;
  const outcome = (confidence: number) =>
    ({ kind: 'report', findings: [finding('a', confidence)], unscannable: {} }) as const;
  assert.equal(judge(own, row, outcome(0.8), 'request')?.blockedFrom, null);
  assert.equal(judge(own, row, outcome(0.95), 'request')?.blockedFrom, 0);
});

test('a signature is needed where the text would pass without it', () => {
  assert.deepEqual(judged('x', 'jailbreak', [finding('a', 0.9), finding('b', 0.3)]).needed, ['a']);
  assert.deepEqual(judged('x', 'jailbreak', [finding('a', 0.9), finding('b', 0.8)]).needed, []);
  assert.deepEqual(judged('x', 'jailbreak', [finding('a', 0.3), finding('b', 0.3)]).needed, ['a', 'b']);
  assert.deepEqual(judged('x', 'jailbreak', [finding('a', 0.2)]).needed, []);
});

test('a text that is refused unread is blocked, and one whose scan failed is nothing', () => {
  const row = { id: 'x', text: '', label: 'benign', subtype: '', role: null } as const;
  const refused = judge(policy, row, { kind: 'unreadable', reason: 'decode-budget' }, 'request');
  assert.deepEqual([refused?.action, refused?.refused], ['block', 'decode-budget']);
  for (const outcome of [
    { kind: 'timeout', phase: 'run' },
    { kind: 'error', reason: 'crash' },
    { kind: 'overloaded' },
  ] as const)
    assert.equal(judge(policy, row, outcome, 'request'), null);
});

test('tallies count blocked and seen apart, for attacks and for benign texts', () => {
  const rows = [
    judged('1', 'jailbreak', [finding('a', 0.9)]),
    judged('2', 'encoding-evasion', [finding('a', 0.9, { category: 'encoding-evasion' })]),
    judged('3', 'jailbreak', [finding('a', 0.1)]),
    judged('4', 'benign', [finding('a', 0.9, { role: 'system' })]),
    judged('5', 'benign'),
  ];
  const counts = {
    attacks: 3,
    blockedAttacks: 1,
    seenAttacks: 2,
    foundAttacks: 3,
    benign: 2,
    blockedBenign: 0,
    seenBenign: 1,
    refused: 0,
  };
  assert.deepEqual(tallyOf(rows), counts);
  assert.equal(meanOf([null, 50, 100]), 75);
  assert.equal(meanOf([null]), null);
  const [tally] = signatureTallies([corpus('c', rows), corpus('d', rows.slice(0, 1))]);
  assert.deepEqual(tally, { signature: 'a', hits: 4, falseHits: 1, alone: 4, needed: 2, falselyNeeded: 0, corpora: 2 });
});

test('subtypes are cut where that leaves few enough to read', () => {
  const rows = many(60, (i) => judged(String(i), 'jailbreak', [], `${i % 2 === 0 ? 'even' : 'odd'}/${i % 4}/${i}`));
  assert.deepEqual([...subtypesOf(rows).keys()].sort(), ['even/0', 'even/2', 'odd/1', 'odd/3']);
  assert.equal(subtypesOf(rows, 3).size, 60);
  assert.equal(subtypesOf(many(60, (i) => judged(String(i), 'jailbreak', [], String(i)))).size, 60);
});

test('the curve rises with the sensitivity, and takes the mean of corpora for recall and all benign texts together', () => {
  const rows = [judged('1', 'jailbreak', [finding('a', 0.6)]), judged('2', 'jailbreak', [finding('a', 0.3)])];
  const quiet = many(99, (i) => judged(`q${i}`, 'benign'));
  const corpora = [
    corpus('small', rows),
    corpus(
      'large',
      many(100, (i) => judged(String(i), 'jailbreak', [finding('a', 0.9)])),
    ),
    corpus('benign', [...quiet, judged('f', 'benign', [finding('a', 0.3)])]),
    corpus('answers', [judged('s', 'sensitive-data')], { direction: 'response' }),
  ];
  const at = (sensitivity: number) => curveOf(corpora, 'request').find((point) => point.sensitivity === sensitivity);
  assert.deepEqual(at(0.5), { sensitivity: 0.5, recall: 75, falsePositives: 0, precision: 100 });
  assert.deepEqual([at(0.7)?.recall, at(0.7)?.falsePositives], [100, 1]);
  assert.equal(at(0)?.recall, 0);
  assert.equal(curveOf(corpora, 'response')[0]?.recall, 0);
  assert.deepEqual(curveOf([], 'request'), []);
});

test('the drawing is well formed, marks the default and escapes what it is told', () => {
  const points = curveOf(
    [corpus('a', [judged('1', 'jailbreak', [finding('a', 0.6)]), judged('2', 'benign')])],
    'request',
  );
  const svg = chart(points, 0.5, '<b>&');
  assert.equal(svg.match(/<path d="M[\d.L -]+Z?" /g)?.length, 3);
  assert.equal(svg.match(/<circle /g)?.length, 3);
  assert.ok(svg.includes('<title>&#60;b&#62;&#38;</title>') && !/NaN|Infinity|undefined|null/.test(svg));
  assert.ok(!/NaN|<path/.test(chart([], 0.5, 'nothing')));
});

test('a confidence is the least precision that the corpora vouch for, and says what rests on one of them', () => {
  const hit = (id: string) => judged(id, 'jailbreak', [finding('a', 0.5)]);
  const one = (corpora: readonly CorpusRun[]) => confidencesOf(corpora).find(({ signature }) => signature === 'a')!;
  const attacks = (name: string, hits: number) =>
    corpus(
      name,
      many(200, (i) => (i < hits ? hit(String(i)) : judged(String(i), 'jailbreak'))),
    );
  assert.ok(one([attacks('x', 3)]).suggested < one([attacks('x', 30)]).suggested);
  assert.ok(Math.abs(one([attacks('x', 3)]).suggested - 0.53) < 0.005);
  assert.equal(one([attacks('x', 30)]).withoutBest, 0.02);
  assert.ok(one([attacks('x', 30), attacks('y', 30)]).withoutBest > 0.9);

  const noisy = corpus(
    'benign',
    many(200, (i) => judged(String(i), 'benign', i < 30 ? [finding('a', 0.5)] : [])),
  );
  const mixed = one([attacks('x', 30), noisy]);
  assert.ok(mixed.suggested > 0.3 && mixed.suggested < 0.5, String(mixed.suggested));
  assert.deepEqual(
    confidencesOf([{ ...attacks('x', 30), measuredOnly: true }]),
    [],
    'what only measures teaches nothing',
  );
});

test('a corpus that is left out is judged by what the others vouch for', () => {
  const hits = (name: string, signature: string) =>
    corpus(
      name,
      many(60, (i) => judged(String(i), 'jailbreak', [finding(signature, 0.9)])),
    );
  const left = leaveOneOut([hits('x', 'shared'), hits('y', 'shared'), hits('z', 'lonely')], policy);
  assert.deepEqual(
    left.map(({ corpus: name, recall }) => [name, recall]),
    [
      ['x', 100],
      ['y', 100],
      ['z', 0],
    ],
  );
});

test('a floor is read with care, and covers corpora, parts of them and all but some', () => {
  for (const [text, says] of [
    ['[', 'is not JSON'],
    ['null', "needs a list under the key 'floors'"],
    ['{"floors":[],"marks":{"a":null}}', "has 'marks' that --write-floors did not write"],
    ['[]', "needs a list under the key 'floors'"],
    ['{"floors":[3]}', 'floors[0] must be an object'],
    ['{"floors":[{"of":["a"]}]}', "floors[0] needs a 'name'"],
    ['{"floors":[{"name":"a","of":[]}]}', "floors[0] needs a list of corpora under the key 'of'"],
    ['{"floors":[{"name":"a","of":["a"]}]}', 'floors[0] needs one of blocked, seen, found, falsePositives'],
    ['{"floors":[{"name":"a","of":["a"],"seen":"9"}]}', 'floors[0] seen must be a number from 0 to 100'],
  ] as const)
    assert.equal(parseFloorFile(text), says);

  const corpora = ['bn_a', 'bn_b', 'jb'].map((name) =>
    corpus(name, [judged(`${name}1`, 'benign', [], 'strong/x'), judged(`${name}2`, 'benign', [], 'weak')]),
  );
  const under = (...of: string[]): string[] => rowsUnder({ of }, corpora).map(({ id }) => id);
  assert.deepEqual(under('bn_*', '!bn_b'), ['bn_a1', 'bn_a2']);
  assert.deepEqual(under('*:strong*'), ['bn_a1', 'bn_b1', 'jb1']);
  assert.deepEqual(under('jb', '!jb:weak'), ['jb1']);
});

test('a star stands for any part of a name', () => {
  for (const [name, pattern, is] of [
    ['abc', 'abc', true],
    ['abc', 'ab', false],
    ['abc', '*', true],
    ['', '*', true],
    ['abc', 'a*', true],
    ['abc', '*c', true],
    ['abc', 'a*c', true],
    ['ac', 'a*c', true],
    ['abc', '*b*', true],
    ['abc', 'abc*c', false],
    ['aXbXc', 'a*b*c', true],
    ['acb', 'a*b*c', false],
    ['a*b', 'a*b', true],
  ] as const)
    assert.equal(matchesPattern(name, pattern), is, `${name} ${pattern}`);
});

test('floors that were written from a run hold for that run, and not for one that lost more than the margin', () => {
  const run = (found: number, wrong: number) => [
    corpus('x', [
      ...many(100, (i) => judged(`a${i}`, 'jailbreak', i < found ? [finding('a', 0.9)] : [])),
      ...many(100, (i) => judged(`b${i}`, 'benign', i < wrong ? [finding('a', 0.9)] : [])),
    ]),
  ];
  const written = floorsFromRun(run(90, 2), [{ name: 'some', of: ['x*'], blocked: 10 }]);
  assert.deepEqual(written, [
    { name: 'some', of: ['x*'], blocked: 89 },
    { name: 'x', of: ['x'], blocked: 89, seen: 89, falsePositives: 3 },
  ]);
  for (const [found, wrong, broken] of [
    [90, 2, []],
    [89, 3, []],
    [100, 0, []],
    [88, 2, ['some blocked', 'x blocked', 'x seen']],
    [90, 4, ['x falsePositives']],
  ] as const) {
    const names: string[] = brokenFloors(written, run(found, wrong)).map(({ name: floor, what }) => `${floor} ${what}`);
    assert.deepEqual(names, broken, `${found} ${wrong}`);
  }
  const [lost] = brokenFloors(written, run(88, 2));
  assert.equal(lost?.ids.length, 12);
  assert.deepEqual(floorsFromRun([], written), written, 'what is not measured keeps its floor');
});

test('two runs are compared by the id of the text, in both directions', () => {
  const before = [
    corpus('x', [
      judged('1', 'jailbreak', [finding('a', 0.9)]),
      judged('2', 'benign', [finding('a', 0.9)]),
      judged('3', 'benign'),
    ]),
  ];
  const now = [
    corpus('x', [judged('1', 'jailbreak'), judged('2', 'benign'), judged('4', 'benign')]),
    corpus('new', []),
  ];
  assert.deepEqual(compareRuns(before, now), [
    {
      corpus: 'x',
      recall: [0, 1],
      falsePositives: [1, 0],
      changes: [
        { id: '1', from: 'block', to: 'allow', better: false },
        { id: '2', from: 'block', to: 'allow', better: true },
      ],
      unmatched: 2,
    },
  ]);
});

test('what became of every text is kept in two bits, and told again only of the same texts', () => {
  const rows = (['jailbreak', 'encoding-evasion', 'benign'] as const).flatMap((category, i) =>
    many(3, (n) =>
      judged(
        `${i}${n}`,
        category,
        category === 'benign' ? [] : [finding('a', 0.9, { category, role: n === 0 ? 'system' : 'user' })],
      ),
    ),
  );
  const run = [corpus('x', rows)];
  const marks = JSON.parse(JSON.stringify(marksOf(run))) as ReturnType<typeof marksOf>;
  assert.deepEqual(new Set(rows.map(({ action }) => action)), new Set(['block', 'warn', 'allow']));
  assert.deepEqual(markedRun(marks, run), run);
  const quiet = [
    corpus(
      'x',
      rows.map((row) => Object.assign({ ...row }, { action: 'allow' as const })),
    ),
  ];
  assert.deepEqual(
    markedRun(marks, quiet)[0]?.rows.map(({ action }) => action),
    rows.map(({ action }) => action),
  );
  assert.deepEqual(markedRun(marks, [corpus('x', rows.toReversed())]), []);
  assert.deepEqual(markedRun(marks, [corpus('x', rows.slice(1)), corpus('constructor', rows)]), []);
});

test('a saved run is read back, and nothing else is', () => {
  const run = {
    version: 1,
    at: '',
    role: null,
    sensitivity: 0.5,
    signatures: 1,
    corpora: [corpus('x', [judged('1', 'benign')])],
  };
  assert.deepEqual(runFrom(JSON.stringify(run)), run);
  for (const text of [
    '',
    '[]',
    'null',
    '{"version":2,"corpora":[]}',
    '{"version":1,"corpora":[{"name":"x","rows":[null]}]}',
  ])
    assert.equal(runFrom(text), null, text);
});

test('a row says what is wrong with it, and what stands in the place of an id does not get far', () => {
  const reason = (text: string): string | null => {
    const read = labelledRow(text, 'f:1');
    return read.kind === 'unread' ? read.reason : null;
  };
  assert.match(reason('{') ?? '', /not JSON/);
  assert.match(reason('null') ?? '', /not an object/);
  assert.match(reason('{"text":3,"label":"benign"}') ?? '', /no text/);
  assert.match(reason('{"text":"","label":"Benign"}') ?? '', /label/);
  assert.match(reason('{"text":"","label":"benign","role":"root"}') ?? '', /role/);
  const read = labelledRow(JSON.stringify({ text: '', label: 'benign', id: 'x'.repeat(5000), subtype: 7 }), 'f:1');
  assert.ok(read.kind === 'row' && read.row.id.length === 80 && read.row.subtype === '7');
  const nameless = labelledRow('{"text":"","label":"benign"}', 'f:1');
  assert.ok(nameless.kind === 'row' && nameless.row.id === 'f:1');
});
