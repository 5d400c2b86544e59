import assert from 'node:assert/strict';
import test from 'node:test';
import { array, assert as assertProperty, constantFrom, double, property, record } from 'fast-check';
import type { Finding } from '../src/domain/finding.ts';
import { scores } from '../src/domain/score.ts';

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
  assert.equal(scores([finding('a', 0.3)])[0]?.score.toFixed(4), '0.3000');
  assert.equal(scores([finding('a', 0.3), finding('b', 0.4)])[0]?.score.toFixed(4), '0.5800');
});

test('the same signature counts once, at its surest', () => {
  const [score] = scores([
    finding('a', 0.3),
    finding('a', 0.5, { role: 'tool_result' }),
    finding('a', 0.4, { via: ['base64'] }),
  ]);
  assert.equal(score?.score.toFixed(4), '0.5000');
  assert.equal(score?.strongest.role, 'tool_result');
});

test('categories are scored apart', () => {
  const list = scores([finding('a', 0.3), finding('b', 0.6, { category: 'prompt-injection' })]);
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
      const [score] = scores(findings);
      assert.ok(score !== undefined);
      assert.ok(score.score >= Math.max(...findings.map(({ confidence }) => confidence)) - 1e-4 && score.score <= 1);
      assert.ok(Math.abs(score.score - (scores(findings.toReversed())[0]?.score ?? 0)) < 1e-4);
    }),
  );
});
