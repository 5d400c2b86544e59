import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { detectionPage, dialOf, type DetectRecord } from '../bench/detect-page.ts';
import { BUILD_OUT, runNode } from './helpers/cli.ts';

const RESULTS = 'bench/results';
const records = readdirSync(RESULTS)
  .filter((name) => name.endsWith('-detect.json'))
  .map((name) => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')) as DetectRecord)
  .sort((a, b) => (a.at < b.at ? -1 : 1));

test('docs/detection.md and its drawing are what the newest record makes of them', async () => {
  const { code, stderr } = await runNode(['scripts/detection-docs.mjs', '--check'], { GUARD_BUILD_OUT: BUILD_OUT });
  assert.equal(code, 0, stderr);
});

test('the figures of README.md are what the newest records make of them', async () => {
  const { code, stderr } = await runNode(['scripts/readme-figures.mjs', '--check'], { GUARD_BUILD_OUT: BUILD_OUT });
  assert.equal(code, 0, stderr);
});

test('the tables of docs/likeness.md are what the trainer reported', async () => {
  const { code, stderr } = await runNode(['scripts/likeness-docs.mjs', '--check']);
  assert.equal(code, 0, stderr);
});

test('the page says every corpus of the record with its figures, and another record makes another page', () => {
  const record = records.at(-1);
  assert.ok(record !== undefined);
  const page = detectionPage(record, null);
  assert.ok(record.results.corpora.length > 20, 'a whole run is recorded');
  for (const { name, direction, attacks, benign } of record.results.corpora) {
    const rows = page.split('\n').filter((line) => line.startsWith(`| ${name} `) || line.startsWith(`| ${name}:`));
    assert.ok(rows.length > 0, name);
    if (direction === 'response') continue;
    for (const count of [attacks, benign].filter((each) => each > 0))
      assert.ok(
        rows.some((line) => line.includes(` ${count} |`)),
        `${name} ${count}`,
      );
  }
  const [first, ...rest] = record.results.corpora;
  const changed = {
    ...record,
    results: { ...record.results, corpora: [{ ...first!, benign: first!.benign + 1 }, ...rest] },
  };
  assert.notEqual(detectionPage(changed, null), page);
  const dial = { ...record.results.dial, request: record.results.dial.request.slice(0, 9) };
  assert.notEqual(dialOf({ ...record, results: { ...record.results, dial } }), dialOf(record));
});

test('what a trainer measured with a corpus kept from it stands on the page when there is such a file', () => {
  const shares = { signatures: 1.5, likeness: 12.5, together: 25 };
  const sources = [{ corpus: 'aster', rows: 8, falsePositives: 0.25, ...shares }];
  const leftOutPercent = { allowedFalsePositives: 0.4, sources, macro: shares };
  const lines = (corpora: Readonly<Record<string, number>>) =>
    Object.entries(corpora).map(([corpus, rows]) => Object.assign({ corpus, rows }, shares));
  const report = (attacks: Readonly<Record<string, number>>, honest: Readonly<Record<string, number>>) => {
    return { leftOutPercent, blockedPercent: { attacks: lines(attacks), honest: lines(honest) } };
  };
  const page = detectionPage(records.at(-1)!, {
    asked: report({}, { bn_agents_unseen: 634, bn_files: 1 }),
    planted: report(
      { written_unseen_planted: 150 },
      { bn_files: 9927, bn_pages_unseen: 258, written_unseen_data: 250, bn_agents_unseen: 1 },
    ),
  });
  assert.match(page, /\| aster +\| +8 \| +1\.50 \| +12\.5 \| +25\.0 \| +0\.25 \|/);
  assert.match(page, /\| from packages never used for training \| +634 \| +1\.50 \| +12\.5 \| +25\.0 \|/);
  assert.match(
    page,
    /\| files from packages that were partly used for training \| +9927 \| +1\.50 \| +12\.5 \| +25\.0 \|/,
  );
  assert.match(page, /\| whole pages of popular sites +\| +258 \| +1\.50 \| +12\.5 \| +25\.0 \|/);
  assert.match(page, /\| in documents, written blind +\| +150 \| +1\.50 \| +12\.5 \| +25\.0 \|/);
  assert.match(page, /\| documents, written blind +\| +250 \|/);
  assert.ok(!detectionPage(records.at(-1)!, null).includes('npm run train'));
});

test('how many long conversations are blocked stands on the page when the record has it', () => {
  const record = records.at(-1)!;
  const conversations = [{ messages: 40, conversations: 500, blocked: 5 }];
  const page = detectionPage({ ...record, results: { ...record.results, conversations } }, null);
  assert.match(page, /\| 40 +\| +500 \| +5 \| 1\.00 \|/);
});

test('how many attacks are blocked between honest paragraphs stands on the page when the record has it', () => {
  const record = records.at(-1)!;
  const surrounded = [{ name: 'pi_some', texts: 200, alone: 150, between: 125 }];
  const page = detectionPage({ ...record, results: { ...record.results, surrounded } }, null);
  assert.match(page, /\| pi_some +\| +200 \| +75\.0 \| +62\.5 \|/);
});

test('a record holds figures and names, and no text', () => {
  for (const name of readdirSync(RESULTS).filter((each) => each.endsWith('-detect.json'))) {
    const strings: string[] = [];
    JSON.parse(readFileSync(join(RESULTS, name), 'utf8'), (key, value: unknown) => {
      if (typeof value === 'string') strings.push(value);
      assert.ok(!['text', 'rows', 'id', 'ids'].includes(key), key);
      return value;
    });
    // A find that was hidden several times over is named by all that it was hidden in.
    const long = strings.filter((each) => each.length > 80 && !/^hidden:[a-z0-9>-]+$/.test(each));
    assert.deepEqual(long, [], name);
  }
});
