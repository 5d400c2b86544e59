/** A thread that comes back from a crash without what it scans with would answer at once, and be given every body. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createPool } from '../src/scanner/pool.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { chatJob } from './helpers/chat-job.ts';

const WEIGHTS = ['asked.bin', 'planted.bin'];

test('a thread that comes back without its ruleset gets no work, and the others go on', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'guard-weights-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of WEIGHTS) cpSync(join(import.meta.dirname, '../src/likeness', name), join(folder, name));
  let crashes = 0;
  const { scanner, problems } = await createPool(
    loadSignatures().signatures.slice(0, 5),
    { threads: 2, likeness: folder, timeoutMs: 20_000, faults: { crash: 1, at: [1] } },
    { worker: (event) => void (crashes += event === 'crash' ? 1 : 0), log: () => {} },
  );
  t.after(() => scanner.close());
  assert.deepEqual(problems, []);
  for (const name of WEIGHTS) rmSync(join(folder, name));

  const job = chatJob('{"messages":[{"role":"user","content":"hello"}]}');
  assert.equal((await scanner.scan(job)).kind, 'report', 'the other thread reads what the first one died of');
  assert.equal(crashes, 1);
  const end = performance.now() + 4000;
  let scans = 0;
  for (; performance.now() < end; scans += 1) assert.equal((await scanner.scan(job)).kind, 'report');
  assert.ok(scans > 100);
});
