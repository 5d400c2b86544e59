import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { scan } from '../src/detect/scan.ts';
import type { Finding } from '../src/domain/finding.ts';
import type { Direction } from '../src/domain/job.ts';
import { scoresByCategory } from '../src/domain/score.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import { compileAsBuilt } from './helpers/compile-as-built.ts';

const BLOCKING = 0.5;
const loaded = loadSignatures();
const sensitive = loaded.signatures.filter(({ category }) => category === 'sensitive-data');
const compiled = compileAsBuilt(sensitive, DECODERS);
assert.ok('ruleset' in compiled, JSON.stringify(compiled));
const { ruleset } = compiled;
const lines = readFileSync(new URL('./fixtures/sensitive/near-misses.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

function findingsIn(text: string, direction: Direction = 'response'): readonly Finding[] {
  const scanned = scan(ruleset, [{ text, role: 'assistant', where: 'text', message: 0 }], { direction });
  assert.equal(scanned.kind, 'findings');
  return scanned.kind === 'findings' ? scanned.findings.filter(({ category }) => category === 'sensitive-data') : [];
}

const scoreOf = (findings: readonly Finding[]): number =>
  Math.max(0, ...scoresByCategory(findings).map(({ score }) => score));

test('of 150 and more lines of numbers, hashes, versions and blank forms none is blocked at the default sensitivity', () => {
  assert.ok(lines.length >= 150, `${lines.length} lines`);
  const blocked = lines.flatMap((line) => {
    const findings = findingsIn(line);
    return scoreOf(findings) >= BLOCKING ? [`${findings.map(({ signature }) => signature).join(', ')}: ${line}`] : [];
  });
  assert.deepEqual(blocked, []);
});

test('the same lines in one text, where weak signs would add up, are not blocked either', () => {
  const findings = findingsIn(lines.join('\n'));
  assert.ok(scoreOf(findings) < BLOCKING, findings.map(({ signature }) => signature).join(', '));
});

test('digits behind a decimal point are a fraction, and the same digits anywhere else are a card', () => {
  const card = '4929838706356485';
  for (const text of [
    `The weights are [0.${card}, -3.${card}].`,
    `12.${card},0.5\n`,
    `{"logprob":-0.${card}}`,
    `x = .${card}`,
    `sum=0.${'1'.repeat(7)}; p=1.269124711681373`,
  ])
    assert.deepEqual(findingsIn(text), [], text);
  for (const text of [
    `17,${card},9`,
    `The card is in the file.${card} is its number.`,
    `1.4929 8387 0635 6485`,
    `0.${card} and ${card}`,
    `${card}.0`,
    `v1.2 ${card}`,
  ])
    assert.ok(scoreOf(findingsIn(text)) >= BLOCKING, text);
});

test('a text of nothing but fractions is read in proportion to its length, and a card in it is found', () => {
  const timeOf = (text: string): number => {
    const before = process.cpuUsage().user;
    findingsIn(text);
    return process.cpuUsage().user - before;
  };
  const fractions = (count: number): string => '0.4929838706356485 '.repeat(count);
  timeOf(fractions(3200));
  const [short, long] = [fractions(200), fractions(3200)].map((text) => Math.min(timeOf(text), timeOf(text)));
  assert.ok(long! < 64 * Math.max(short!, 1000), `${short} us, and ${long} us for sixteen times as much`);
  assert.deepEqual(findingsIn(fractions(3000)), []);
  assert.ok(scoreOf(findingsIn(`${fractions(3000)}and 4929838706356485 ${fractions(3000)}`)) >= BLOCKING);
  assert.ok(scoreOf(findingsIn('0.4929838706356485123 and 4929838706356485.')) >= BLOCKING);
});

test('an address, a telephone number, an IP address and a guessed password together stay below the score that blocks', () => {
  const text = 'Bo Keller, bo.keller@fleckens.hu, +49 30 90182011, from 84.21.190.7, password = "Tr0ub4dor&3"';
  const findings = findingsIn(text);
  const found = findings.map(({ signature }) => signature).sort();
  assert.deepEqual(found, ['email-address', 'password-assigned', 'phone-number', 'public-ip-address']);
  assert.ok(scoreOf(findings) > 0 && scoreOf(findings) < BLOCKING, String(scoreOf(findings)));
});

test('digits of neighbouring parts that only together pass for a card are no card', () => {
  const parts = ['4929 2210 ', '8834 1203'].map((text) => ({
    text,
    role: 'assistant' as const,
    where: 'part',
    message: 0,
  }));
  const asOne = findingsIn(parts.map(({ text }) => text).join(''));
  assert.ok(
    asOne.some(({ signature }) => signature === 'payment-card-number'),
    'the whole is a card',
  );
  const scanned = scan(ruleset, parts, { direction: 'response' });
  assert.ok(scanned.kind === 'findings' && scanned.findings.length === 0);
});
