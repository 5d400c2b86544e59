/** Nearly all calls are clean. Their threads say so with one word, which costs no copy of an outcome. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScanJob } from '../src/domain/job.ts';
import { NOTHING_FOUND } from '../src/scanner/batch.ts';
import { createPool } from '../src/scanner/pool.ts';
import { chosenSignatures } from '../src/signatures/choose.ts';
import { chatJob } from './helpers/chat-job.ts';

const KEPT = ['Zx81', 'qLm09', 'TbV7', 'wRk42', 'Yp'].join('');
const jobOf = (system: string): ScanJob =>
  chatJob(
    JSON.stringify({
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: 'What makes seven times eight?' },
      ],
    }),
    { collectSecrets: true },
  );

test('a clean call brings nothing back, also where its instructions were searched for what they keep', async (t) => {
  const { signatures } = chosenSignatures({ paths: [], disabled: [] });
  const { scanner } = await createPool(
    signatures.slice(0, 5),
    { threads: 1, timeoutMs: 5000 },
    { worker: () => {}, log: () => {} },
  );
  t.after(() => scanner.close());
  assert.equal(await scanner.scan(jobOf('Be brief.')), NOTHING_FOUND, 'the very same object, and no copy');
  assert.deepEqual(await scanner.scan(jobOf(`The door code is ${KEPT}.`)), { ...NOTHING_FOUND, secrets: [KEPT] });
});
