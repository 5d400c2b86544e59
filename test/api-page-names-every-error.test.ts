/** docs/api.md has a row for every error, and the row says what the program does. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { UnreadableReason } from '../src/domain/job.ts';
import { refuse, unreadableRequest, unreadableResponse, type RefusalType } from '../src/domain/refusal.ts';

const read = (file: string): string => readFileSync(join(process.cwd(), file), 'utf8');
const source = read('src/domain/refusal.ts');
const page = read('docs/api.md');

/** The keys of a table of the source, which is not exported. */
function keysOf(name: string): string[] {
  const table = new RegExp(`const ${name} = \\{\\n([^]*?)\\n\\} satisfies`).exec(source)?.[1] ?? '';
  return [...table.matchAll(/^ {2}'?([\w-]+)'?: (?:\{|refuse\(|unscannedResponse\()/gm)].map((match) => match[1]!);
}

function rowsOf(title: string): string[][] {
  const from = page.indexOf(`\n### ${title}\n`);
  assert.ok(from !== -1, title);
  const [section] = page.slice(from + 1).split(/\n(?=##)/);
  return section!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

const RETRY = { no: ['false', undefined], soon: [undefined, '1'] } as const;

test('every type of error has a row with its status, and the hint that its answer carries', () => {
  const rows = rowsOf('Types');
  const types = keysOf('KINDS');
  assert.ok(types.length > 25, String(types.length));
  assert.deepEqual(
    rows.map(([type]) => type),
    types,
  );
  for (const [type, status, retry] of rows) {
    const refusal = refuse(type as RefusalType);
    assert.equal(status, String(refusal.status), type);
    const [should, after] = RETRY[retry as keyof typeof RETRY] ?? [undefined, undefined];
    assert.equal(refusal.headers['x-should-retry'], should, type);
    assert.equal(refusal.headers['Retry-After'], after, type);
  }
});

test('every reason why a body cannot be scanned has a row with its type and its message', () => {
  const rows = rowsOf('Bodies that cannot be scanned');
  const reasons = keysOf('UNREADABLE');
  assert.ok(reasons.length > 8, String(reasons.length));
  assert.deepEqual(
    rows.map((cells) => cells[3]),
    [...reasons, 'token-ids'],
  );
  for (const [type, message, , reason] of rows) {
    if (reason === 'token-ids') {
      assert.ok(read('src/proxy/judgement.ts').includes(`refuse('${type}', { message: '${message}' })`));
      continue;
    }
    const refusal = unreadableRequest(reason as UnreadableReason);
    assert.deepEqual([type, message], [refusal.type, refusal.message]);
  }
});

test('every reason why an answer cannot be scanned has a row with its type and its message', () => {
  const rows = rowsOf('Answers that cannot be scanned');
  const reasons = keysOf('UNREADABLE_RESPONSE');
  assert.ok(reasons.length > 8, String(reasons.length));
  assert.deepEqual(
    rows.map((cells) => cells[3]),
    reasons,
  );
  for (const [type, message, , reason] of rows) {
    const refusal = unreadableResponse(reason as UnreadableReason);
    assert.deepEqual([type, `The upstream response could not be scanned: ${message}`], [refusal.type, refusal.message]);
    assert.equal(refusal.status, 502);
    assert.equal(refusal.headers['x-should-retry'], 'false');
  }
});
