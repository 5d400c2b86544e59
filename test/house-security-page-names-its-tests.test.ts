/** docs/security.md says which test holds which trap; a test that is renamed must take its line along. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${ROOT}docs/security.md`, 'utf8');

const everyTest = readdirSync(`${ROOT}test`)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(`${ROOT}test/${name}`, 'utf8'))
  .join('\n');
const tests = new Set(Array.from(everyTest.matchAll(/\btest\('([^']+)'/g), (match) => match[1]!));

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| # ') && !/^\| (?:Left alone|Trick) /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('every trap on the page is held by a test of that name', () => {
  assert.ok(rows.length > 50, String(rows.length));
  assert.deepEqual(
    rows.map((cells) => cells.at(-2)!).filter((name) => !tests.has(name)),
    [],
  );
});

test('the tests that the text speaks of exist', () => {
  const spoken = [...page.matchAll(/(?<!\*)\*([^*]{40,})\*(?!\*)/g)].map((match) => match[1]!.replace(/\s+/g, ' '));
  assert.equal(spoken.length, 2);
  assert.deepEqual(
    spoken.filter((name) => !tests.has(name)),
    [],
  );
});

test('the traps are numbered without a gap, so that a comment can speak of one', () => {
  const numbers = rows.map((cells) => cells[1]!).filter((cell) => /^\d+$/.test(cell));
  assert.deepEqual(
    numbers.map(Number),
    Array.from({ length: 31 }, (_, i) => i + 1),
  );
});
