import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { writeReport } from '../../bench/commands.ts';
import { CHARTS } from '../../bench/report-sections.ts';
import { madeRecords } from '../helpers/bench-records.ts';
import { openBrowser, openPage } from './browser.ts';

/** Set to a folder to keep what the page looked like. */
const SHOTS = process.env['GUARD_TEST_SHOTS'];

let browser: Browser;
let folder: string;
before(async () => {
  browser = await openBrowser();
  folder = mkdtempSync(join(tmpdir(), 'guard-bench-page-'));
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

function pageOf(name: string, records: object): string {
  const of = join(folder, name);
  rmSync(of, { recursive: true, force: true });
  writeReport(of, of);
  for (const [part, record] of Object.entries(records)) writeFileSync(join(of, `${part}.json`), JSON.stringify(record));
  return pathToFileURL(writeReport(of, of)[0]!).href;
}

interface Drawn {
  readonly title: string;
  readonly marks: number;
  readonly outside: number;
}

/** Marks that have a size, and texts that stick out of their frame. */
const LOOK = `[...document.querySelectorAll('main section')].filter((s) => s.querySelector('svg')).map((section) => {
  const frame = section.querySelector('svg').getBoundingClientRect();
  const boxes = [...section.querySelectorAll('svg .mark')].map((mark) => mark.getBoundingClientRect());
  const texts = [...section.querySelectorAll('svg text')].map((text) => text.getBoundingClientRect());
  return {
    title: section.querySelector('h2').textContent,
    marks: boxes.filter((box) => box.width > 1 && box.height > 1).length,
    outside: texts.filter((box) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1).length,
  };
})`;

for (const width of [375, 1280]) {
  test(`every chart has something in it, nothing runs and nobody is asked, at ${width} pixels`, async () => {
    const { page, complaints } = await openPage(browser, width);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const url = pageOf(`whole-${width}`, madeRecords());
    await page.goto(url);
    const drawn = (await page.evaluate(LOOK)) as Drawn[];
    assert.deepEqual(
      drawn.map(({ title }) => title),
      CHARTS.map(({ title }) => title),
    );
    for (const { title, marks, outside } of drawn) {
      assert.ok(marks > 0, `${title} is empty`);
      assert.equal(outside, 0, `${title}: text beside its frame`);
    }
    const [wide, shown] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as number[];
    assert.ok(wide! <= shown!, `${wide} pixels wide in a window of ${shown}`);
    await page.getByText('<img src=x').first().waitFor();
    assert.equal(await page.evaluate('window.hacked'), undefined);
    assert.deepEqual(
      requests.filter((asked) => asked !== url && !asked.startsWith('data:')),
      [],
    );
    assert.deepEqual(complaints, []);
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/bench-${width}.png`, fullPage: true });
    await page.context().close();
  });
}

test('without records there is a page that says so, and no empty chart', async () => {
  const { page, complaints } = await openPage(browser, 375);
  await page.goto(pageOf('nothing', {}));
  assert.equal(await page.locator('svg').count(), 0);
  assert.equal(await page.locator('main > section:not(.wide) .absent').count(), CHARTS.length);
  assert.deepEqual(complaints, []);
  await page.context().close();
});
