/** The weights are a file of numbers that decides about traffic: what is not exactly the file that was written is not used. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadLikeness } from '../src/likeness/load.ts';
import { readWeights, writeWeights, type Weights } from '../src/likeness/weights.ts';
import { createPool } from '../src/scanner/pool.ts';
import { loadSignatures } from '../src/signatures/load.ts';

const SHIPPED = readFileSync(fileURLToPath(new URL('../src/likeness/asked.bin', import.meta.url)));
const PLANTED = readFileSync(fileURLToPath(new URL('../src/likeness/planted.bin', import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'guard-weights-'));
after(() => rmSync(folder, { recursive: true }));

function shipped(): Weights {
  const weights = readWeights(SHIPPED);
  assert.ok(typeof weights !== 'string', String(weights));
  return weights;
}

/** With a checksum that agrees: what is wrong must be seen for itself. */
function changed(change: (header: Record<string, unknown>) => void): string | Weights {
  const weights = shipped();
  const header = structuredClone(weights.header) as unknown as Record<string, unknown>;
  change(header);
  return readWeights(writeWeights({ ...weights, header: header as never }));
}

test('the shipped weights are read, are small, and say what they were trained on', () => {
  for (const bytes of [SHIPPED, PLANTED]) {
    const weights = readWeights(bytes);
    assert.ok(typeof weights !== 'string', String(weights));
    const { header, slots } = weights;
    assert.ok(bytes.length <= 256 * 1024, `${bytes.length} bytes`);
    assert.ok(slots.some((entry) => entry !== 0));
    const { inputs } = header.report as { inputs: { name: string; rows: number; use: string; sha256: string }[] };
    assert.ok(inputs.length > 10);
    for (const { rows, sha256 } of inputs) assert.ok(rows > 0 && /^[0-9a-f]{64}$/.test(sha256));
  }
  assert.ok('likeness' in loadLikeness());
});

test('what was written is what is read', () => {
  assert.deepEqual(writeWeights(shipped()), SHIPPED);
});

test('one bit that changed anywhere is seen', () => {
  for (let at = 0; at < SHIPPED.length; at += 4099) {
    const bytes = Buffer.from(SHIPPED);
    bytes[at]! ^= 1;
    assert.equal(typeof readWeights(bytes), 'string', `byte ${at}`);
  }
});

test('a file that was cut, or is something else, is refused with the reason', () => {
  assert.match(String(readWeights(SHIPPED.subarray(0, 5000))), /checksum/);
  assert.match(String(readWeights(Buffer.alloc(0))), /not a file of weights/);
  assert.match(String(readWeights(Buffer.from('GIF89a'.repeat(100)))), /not a file of weights/);
  const mark = Buffer.concat([SHIPPED.subarray(0, 8), Buffer.from([255, 255, 255, 255]), Buffer.alloc(100)]);
  const summed = Buffer.concat([mark, createHash('sha256').update(mark).digest()]);
  assert.match(String(readWeights(summed)), /size/);
});

test('weights of other features, other concepts or without numbers are refused', () => {
  assert.match(String(changed((header) => (header['features'] = { version: 0 }))), /other features/);
  assert.match(String(changed((header) => (header['lexicon'] = '0'))), /other concepts/);
  assert.match(String(changed((header) => (header['bias'] = null))), /without its numbers/);
  for (const step of [0, -16, 1.5, 65, '16', undefined])
    assert.match(String(changed((header) => (header['step'] = step))), /steps of no words/);
  assert.match(String(changed((header) => (header['step'] = 10))), /no quarters/);
  assert.match(String(changed((header) => (header['stepDearer'] = undefined))), /without its numbers/);
  assert.match(
    String(
      changed(
        (header) =>
          (header['calibration'] = [
            [1, 0.5],
            [0, 0.6],
          ]),
      ),
    ),
    /calibration/,
  );
  assert.match(
    String(
      changed(
        (header) =>
          (header['calibration'] = [
            [0, 0.5],
            [1, 1],
          ]),
      ),
    ),
    /calibration/,
  );
});

test('no word of the training texts stands in the file', () => {
  const text = Buffer.concat([SHIPPED, PLANTED]).toString('latin1').toLowerCase();
  for (const word of ['ignore', 'previous', 'jailbreak ', 'pretend', 'system prompt'])
    assert.ok(!text.includes(word), word);
});

test('a thread with corrupt weights does not start, and says which file and what to do', async () => {
  const cut = { 'asked.bin': SHIPPED.subarray(0, SHIPPED.length - 1), 'planted.bin': PLANTED };
  const lacking = { 'asked.bin': SHIPPED };
  const cases = [
    ['cut', cut, 'asked.bin'],
    ['lacking', lacking, 'planted.bin'],
    ['empty', {}, 'asked.bin'],
  ] as const;
  const { signatures } = loadSignatures();
  const settings = { threads: 1, timeoutMs: 10_000 };
  const events = { worker: () => {}, log: () => {} };
  for (const [name, files, bad] of cases) {
    const likeness = join(folder, name);
    mkdirSync(likeness);
    for (const [file, bytes] of Object.entries(files)) writeFileSync(join(likeness, file), bytes);
    const { scanner, problems } = await createPool(signatures.slice(0, 3), { ...settings, likeness }, events);
    await scanner.close();
    assert.equal(problems.length, 1, JSON.stringify(problems));
    assert.equal(problems[0]!.file, join(likeness, bad));
    assert.equal(problems[0]!.path, 'scanner.likeness');
    assert.match(problems[0]!.message, /scanner\.likeness: false/);
  }
});
