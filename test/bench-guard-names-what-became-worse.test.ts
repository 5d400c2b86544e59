import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardRatios } from '../bench/guard.ts';
import { ratiosOf, type Ratio } from '../bench/ratios.ts';
import { compare, confirmed } from '../bench/regression.ts';
import type { Records } from '../bench/records.ts';
import { madeRecords } from './helpers/bench-records.ts';

const low = (median: number): Ratio => ({ median, min: median, max: median, better: 'low' });
const high = (median: number): Ratio => ({ median, min: median, max: median, better: 'high' });
const SCANNED = 'proxy: guard-scanned / bare-http-proxy';

test('fifteen percent is allowed, in the direction in which a row gets worse, and no more', () => {
  const verdicts = (was: Ratio, is: Ratio): string => compare({ row: was }, { row: is })[0]!.verdict;
  assert.equal(verdicts(low(2), low(2.29)), 'holds');
  assert.equal(verdicts(low(2), low(2.31)), 'dropped');
  assert.equal(verdicts(low(2), low(0.5)), 'holds');
  assert.equal(verdicts(high(2), high(1.71)), 'holds');
  assert.equal(verdicts(high(2), high(1.69)), 'dropped');
  assert.equal(verdicts(high(2), high(9)), 'holds');
});

test('a row that is measured no more is missing, and a new one is only new', () => {
  const rows = compare({ gone: low(1), kept: low(1) }, { kept: low(1), added: low(1) });
  assert.deepEqual(
    rows.map(({ name, verdict }) => `${name} ${verdict}`),
    ['gone missing', 'kept holds', 'added new'],
  );
});

test('what was worse once and not again was a neighbour', () => {
  const was = { row: low(1), other: low(1) };
  const first = compare(was, { row: low(2), other: low(3) });
  const second = compare(was, { row: low(1.1), other: low(2) });
  assert.deepEqual(
    confirmed(first, second).map(({ verdict }) => verdict),
    ['holds', 'dropped'],
  );
});

test('the same figures pass, and every part that has ratios is in it', async () => {
  const committed = madeRecords();
  const asked: string[] = [];
  const { failed, rows, text } = await guardRatios(
    committed,
    ['proxy', 'peers', 'stream', 'scan', 'scale'],
    async (part) => {
      asked.push(part);
      return committed;
    },
  );
  assert.equal(failed, false, text);
  assert.deepEqual(asked, ['proxy', 'peers', 'stream', 'scan', 'scale']);
  for (const part of asked)
    assert.ok(
      rows.some(({ name }) => name.startsWith(`${part}: `)),
      part,
    );
});

test('a drop fails after a second look, and names its row and no other', async () => {
  let looks = 0;
  const { failed, text } = await guardRatios(madeRecords(1.6), ['proxy'], async () => {
    looks += 1;
    return madeRecords(2.4);
  });
  assert.equal(failed, true);
  assert.equal(looks, 2);
  assert.match(text, /guard-scanned \/ bare-http-proxy: 50 % worse than committed/);
  assert.doesNotMatch(text, /guard-without-likeness \/ bare-http-proxy: /);
});

test('a contestant that did not run fails by its name, and so does a guard without anything to compare', async () => {
  const { proxy } = madeRecords();
  const rows = proxy!.results.rows!.filter(({ name }) => name !== 'guard-scanned');
  const without = { proxy: { ...proxy!, results: { ...proxy!.results, rows } } } as Records;
  const { failed, text } = await guardRatios(madeRecords(), ['proxy'], async () => without);
  assert.equal(failed, true);
  assert.ok(text.includes(`${SCANNED}: it is in the committed record and was not measured`), text);
  const nothing = await guardRatios({}, ['proxy', 'detect'], async () => madeRecords());
  assert.equal(nothing.failed, true);
  assert.match(nothing.text, /no committed record/);
});

test('no ratio of the yardstick to itself, none of others, and none of parts that have none', () => {
  const names = Object.keys(ratiosOf(madeRecords(), 'proxy'));
  assert.deepEqual(names, ['proxy: guard-without-likeness / bare-http-proxy', SCANNED]);
  assert.deepEqual(ratiosOf(madeRecords(), 'detect'), {});
  assert.deepEqual(ratiosOf(madeRecords(), 'fleet' as never), {});
});
