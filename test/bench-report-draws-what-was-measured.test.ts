import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { budgetsHeld } from '../bench/budgets.ts';
import { bars, plot } from '../bench/report-charts.ts';
import { CHARTS } from '../bench/report-sections.ts';
import { reportMarkdown, reportPage } from '../bench/report.ts';
import { readRecords } from '../bench/records.ts';
import { HOSTILE, madeRecords } from './helpers/bench-records.ts';

test('text of a record is text on the page, and no mark-up', () => {
  const page = reportPage(madeRecords());
  assert.ok(page.includes('&#60;img src=x'), 'the hostile name is shown');
  assert.ok(!page.includes('<img') && !page.includes('<script'));
  assert.ok(
    !bars([{ label: HOSTILE, value: 1, min: 1, max: 1, said: HOSTILE, ours: false }], HOSTILE).includes('<img'),
  );
  const drawn = plot(
    {
      across: HOSTILE,
      up: HOSTILE,
      series: [
        {
          name: HOSTILE,
          points: [
            [0, 1],
            [1, 2],
          ],
        },
      ],
    },
    HOSTILE,
  );
  assert.ok(drawn.includes('&#60;img') && !drawn.includes('<img'));
});

test('the page asks nobody for anything', () => {
  const page = reportPage(madeRecords());
  assert.doesNotMatch(page, /https?:\/\/|@import|url\(/);
  assert.match(page, /default-src 'none'/);
});

test('what was not measured says so and is not drawn', () => {
  const page = reportPage({});
  assert.ok(!page.includes('<svg'));
  assert.equal(page.split('Not measured: there is no record of it').length - 1, CHARTS.length + 6);
  assert.ok(budgetsHeld({}).every(({ verdict }) => verdict === 'not measured'));
  // A record without the part of it that is drawn is no record of it, either.
  const { scale } = madeRecords();
  const bare = {
    ...scale!,
    results: { ...scale!.results, sizes: null, history: null, concurrency: null, signatures: null },
  };
  assert.ok(!reportPage({ scale: bare as never }).includes('<svg'));
});

test('every chart is drawn of a whole set of records, within its frame and with nothing but numbers', () => {
  const records = madeRecords();
  for (const { title, draw } of CHARTS) {
    const drawn = draw(records, title);
    assert.ok(drawn !== null, title);
    assert.match(drawn, /class="mark/, title);
    assert.doesNotMatch(drawn, /NaN|Infinity|undefined/, title);
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(drawn)!.map(Number);
    for (const [, x, y] of drawn.matchAll(/cx="([-\d.]+)" cy="([-\d.]+)"/g))
      assert.ok(Number(x) >= 0 && Number(x) <= width! && Number(y) >= 0 && Number(y) <= height!, `${title}: ${x} ${y}`);
  }
});

test('a promise holds or does not, by the figure that was measured', () => {
  const verdict = (ratio: number): string => budgetsHeld(madeRecords(ratio))[0]!.verdict;
  assert.equal(verdict(1.75), 'holds');
  assert.equal(verdict(1.76), 'does not hold');
  const held = budgetsHeld(madeRecords());
  assert.equal(held.find(({ work }) => work.startsWith('the slowest text'))!.verdict, 'does not hold');
  assert.deepEqual(
    held.filter(({ verdict: said }) => said === 'not measured').map(({ work }) => work),
    ['the same with likeness'],
  );
});

test('a ratio stands with its rounds, the two medians behind it, and as a multiple of what was promised', () => {
  const records = madeRecords(1.75);
  const [scanned] = budgetsHeld(records);
  assert.match(scanned!.rounds, /^[\d.]+ to [\d.]+x$/);
  assert.match(scanned!.from, /^medians [\d.]+ and [\d.]+ us$/);
  assert.equal(scanned!.ofBar, 1);
  const page = reportPage(records);
  assert.ok(page.includes(`rounds ${scanned!.rounds}<br>${scanned!.from}`));
  assert.match(page, /class="gauge"><i style="width:33\.3%"/);
  // The charts of CPU draw the ratio, which can be compared between runs, with a line at what it is held against.
  const [chart] = CHARTS;
  const drawn = chart!.draw(records, chart!.title)!;
  assert.match(drawn, /1\.75x \(\d+ us\)/);
  assert.match(drawn, /class="against"/);
});

test('the tables are written for the same records, and an older one that lacks a column is named and not fatal', () => {
  const text = reportMarkdown(madeRecords());
  assert.match(text, /## proxy[\s\S]*guard-scanned/);
  assert.match(text, /made by an earlier version/, 'the made record of streams has no rows that a table could show');
});

test('of each part the newest record counts, and a file that is no record stops the report', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'guard-bench-records-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const { proxy } = madeRecords();
  writeFileSync(join(folder, 'b.json'), JSON.stringify({ ...proxy, at: '2026-11-20T00:00:00Z' }));
  writeFileSync(join(folder, 'a.json'), JSON.stringify({ ...proxy, at: '2026-11-21T00:00:00Z' }));
  writeFileSync(join(folder, 'page.html'), 'no record');
  assert.equal(readRecords(folder).proxy!.at, '2026-11-21T00:00:00Z');
  assert.deepEqual(readRecords(join(folder, 'nowhere')), {});
  for (const wrong of ['{', 'null', '{"part":"proxy"}']) {
    writeFileSync(join(folder, 'c.json'), wrong);
    assert.throws(() => readRecords(folder), /c\.json is no record/);
  }
});
