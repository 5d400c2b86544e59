import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { thisMachine, writeRecord } from '../bench/record.ts';
import { linearFit, percentile, spread, rotated } from '../bench/statistics.ts';
import { markdown } from '../src/eval/markdown.ts';

test('a spread is the median with the least and the most, in any order and of any number', () => {
  assert.deepEqual(spread([3, 1, 2]), { median: 2, min: 1, max: 3 });
  assert.deepEqual(spread([4, 1, 3, 2]), { median: 2.5, min: 1, max: 4 });
  assert.deepEqual(spread([7]), { median: 7, min: 7, max: 7 });
  assert.throws(() => spread([]), RangeError);
});

test('a percentile lies between the values around it', () => {
  const values = Array.from({ length: 101 }, (_, i) => i);
  assert.equal(percentile(values, 0), 0);
  assert.equal(percentile(values, 99), 99);
  assert.equal(percentile(values, 99.5), 99.5);
  assert.equal(percentile(values, 100), 100);
});

test('a table has one row a line and its columns one width', () => {
  const lines = markdown(
    ['name', 'us'],
    [
      ['a', '1.0'],
      ['longer', '123.4'],
    ],
  ).split('\n');
  assert.equal(new Set(lines.map((line) => line.length)).size, 1);
  assert.deepEqual(
    lines[3]!.split('|').map((cell) => cell.trim()),
    ['', 'longer', '123.4', ''],
  );
});

test('a record is named by its day, its kind of machine and its part, and never by the name of the machine', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'guard-bench-record-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const machine = { ...thisMachine(), cpu: 'Some CPU (R) 3000', cores: 2, node: 'v20.20.2' };
  const file = writeRecord(folder, 'proxy', machine, { rows: [1] }, new Date('2026-11-21T10:00:00Z'));
  assert.equal(file, join(folder, '2026-11-21-some-cpu-r-3000-2-cores-node20-proxy.json'));
  const written = JSON.parse(readFileSync(file, 'utf8')) as { results: unknown; machine: object };
  assert.deepEqual(written.results, { rows: [1] });
  assert.deepEqual(Object.keys(written.machine).sort(), ['cores', 'cpu', 'kernel', 'load', 'memoryGb', 'node']);
});

test('a line is found through what lies on one, over any number of decades', () => {
  const fit = linearFit([200, 2048, 16_384, 1_048_576, 8_388_608].map((x) => [x, 50 + 0.01 * x] as const));
  assert.ok(Math.abs(fit.intercept - 50) < 1e-6 && Math.abs(fit.slope - 0.01) < 1e-9, JSON.stringify(fit));
  assert.ok(fit.r2 > 0.999999 && fit.worst < 1e-6);
});

test('what grows faster than its cause is no line, however small most of it is', () => {
  const xs = [200, 2048, 16_384, 131_072, 1_048_576];
  const square = linearFit(xs.map((x) => [x, 50 + x * x * 1e-6] as const));
  assert.ok(square.r2 < 0.9 && square.worst > 0.5, JSON.stringify(square));
  const straight = linearFit(xs.map((x, i) => [x, (50 + 0.01 * x) * (i % 2 === 0 ? 1.03 : 0.97)] as const));
  assert.ok(straight.r2 > 0.98 && straight.worst < 0.1, JSON.stringify(straight));
});

test('a line through one place, or through what costs nothing, is refused', () => {
  assert.throws(
    () =>
      linearFit([
        [1, 2],
        [1, 3],
      ]),
    /two places/,
  );
  assert.throws(
    () =>
      linearFit([
        [1, 2],
        [2, 0],
      ]),
    /costs something/,
  );
});

test('everybody starts a round once before somebody starts one twice', () => {
  const firsts = [0, 1, 2, 3].map((round) => rotated(['a', 'b', 'c'], round)[0]);
  assert.deepEqual(firsts, ['a', 'b', 'c', 'a']);
  assert.deepEqual(rotated(['a', 'b', 'c'], 1), ['b', 'c', 'a']);
  assert.deepEqual(rotated([], 3), []);
});
