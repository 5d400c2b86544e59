import assert from 'node:assert/strict';
import test from 'node:test';
import { array, assert as assertProperty, constantFrom, double, nat, property, record, tuple } from 'fast-check';
import type { Finding } from '../src/domain/finding.ts';
import { mergePlaces } from '../src/domain/place.ts';
import { scoresByCategory } from '../src/domain/score.ts';

function finding(signature: string, confidence: number, rest: Partial<Finding> = {}): Finding {
  return {
    signature,
    name: signature,
    category: 'jailbreak',
    confidence,
    role: 'user',
    where: 'text',
    via: [],
    ...rest,
  };
}

test('two weak signs together are stronger than either, and one weak sign stays weak', () => {
  assert.equal(scoresByCategory([finding('a', 0.3)])[0]?.score.toFixed(4), '0.3000');
  assert.equal(scoresByCategory([finding('a', 0.3), finding('b', 0.4)])[0]?.score.toFixed(4), '0.5800');
});

test('the same signature counts once, at its surest', () => {
  const [score] = scoresByCategory([
    finding('a', 0.3),
    finding('a', 0.5, { role: 'tool_result' }),
    finding('a', 0.4, { via: ['base64'] }),
  ]);
  assert.equal(score?.score.toFixed(4), '0.5000');
  assert.equal(score?.strongest.role, 'tool_result');
});

test('categories are scored apart', () => {
  const list = scoresByCategory([finding('a', 0.3), finding('b', 0.6, { category: 'prompt-injection' })]);
  assert.deepEqual(Object.fromEntries(list.map(({ category, score }) => [category, score])), {
    'prompt-injection': 0.6,
    jailbreak: 0.3,
  });
});

test('a score is at least its strongest finding, at most 1, and does not depend on the order', () => {
  const some = array(
    record({
      id: constantFrom('a', 'b', 'c', 'd'),
      confidence: double({ min: 0.01, max: 0.99, noNaN: true }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  assertProperty(
    property(some, (list) => {
      const findings = list.map(({ id, confidence }) => finding(id, confidence));
      const [score] = scoresByCategory(findings);
      assert.ok(score !== undefined);
      assert.ok(score.score >= Math.max(...findings.map(({ confidence }) => confidence)) - 1e-4 && score.score <= 1);
      assert.ok(Math.abs(score.score - (scoresByCategory(findings.toReversed())[0]?.score ?? 0)) < 1e-4);
    }),
  );
});

const at = (signature: string, confidence: number, ...places: [number, number][]): Finding =>
  finding(signature, confidence, { places });
const scoreOf = (...findings: Finding[]): number | undefined => scoresByCategory(findings)[0]?.score;

test('weak signs that stand near each other add up, and those that stand far apart do not', () => {
  assert.equal(scoreOf(at('a', 0.3, [0, 50]), at('b', 0.4, [300, 350])), 0.58);
  assert.equal(scoreOf(at('a', 0.3, [0, 50]), at('b', 0.4, [600, 650])), 0.4);
  assert.equal(scoreOf(at('b', 0.4, [600, 650]), at('a', 0.3, [0, 50])), 0.4);
});

test('a sign that stands at several places counts with what is near any of them', () => {
  assert.equal(scoreOf(at('a', 0.3, [0, 50], [5000, 5050]), at('b', 0.4, [5300, 5350])), 0.58);
  assert.equal(scoreOf(at('a', 0.3, [0, 50], [9000, 9050]), at('b', 0.4, [5300, 5350])), 0.4);
});

test('of which nobody knows where it stands counts with all others', () => {
  assert.equal(scoreOf(finding('a', 0.3), at('b', 0.4, [90_000, 90_050])), 0.58);
});

test('the stretch that scores highest decides, and its strongest sign gives the name', () => {
  const [score] = scoresByCategory([
    at('alone', 0.45, [0, 50]),
    at('a', 0.3, [9000, 9050]),
    at('b', 0.4, [9100, 9150]),
    at('c', 0.2, [9200, 9250]),
  ]);
  assert.deepEqual([score?.score, score?.strongest.signature], [0.664, 'b']);
});

test('no stretch scores more than the one that decides', () => {
  const place = tuple(nat(3000), nat(40)).map(([from, length]): [number, number] => [from, from + length]);
  const some = array(
    record({
      id: constantFrom('a', 'b', 'c', 'd', 'hidden:x', 'hidden:y'),
      confidence: double({ min: 0.01, max: 0.6, noNaN: true }),
      places: array(place, { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 14 },
  );
  assertProperty(
    property(some, (list) => {
      const findings = list.map(({ id, confidence, places }) =>
        finding(id, confidence, { places: mergePlaces(places) }),
      );
      const begins = findings.flatMap(({ places }) => places!.map(([, to]) => to));
      const each = begins.map((begin) => {
        const near = findings.filter(({ places }) => places!.some(([from, to]) => to >= begin && from <= begin + 300));
        return scoreOf(...near.map(({ signature, confidence }) => finding(signature, confidence)))!;
      });
      assert.equal(scoreOf(...findings), Math.max(...each));
    }),
  );
});

test('what was hidden counts once, in however many ways it could be read', () => {
  const ways = ['markup>hidden-markup', 'hidden-markup', 'escapes>markup>hidden-markup'];
  assert.equal(scoreOf(...ways.map((via) => finding(`hidden:${via}`, 0.2))), 0.2);
});

test('places are kept in order, and the closest become one when there are too many', () => {
  assert.deepEqual(mergePlaces([[500, 600], [0, 100], [90, 200]]), [[0, 200], [500, 600]]); // prettier-ignore
  const many = mergePlaces([[0, 1], [100, 101], [110, 111], [300, 301], [500, 501]]); // prettier-ignore
  assert.deepEqual(many, [[0, 1], [100, 111], [300, 301], [500, 501]]); // prettier-ignore
});
