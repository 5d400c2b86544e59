import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scan } from '../src/detect/scan.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { scoresByCategory } from '../src/domain/score.ts';
import { compileAsBuilt } from './helpers/compile-as-built.ts';
import { fixtureLines } from './helpers/fixture.ts';

/**
 * Languages that have signatures and that likeness has learnt nothing of. `tongues` are the pairs that the signatures were
 * written with: an attack, and what an honest person says in much the same words. `tongues-unseen` were written by somebody
 * who saw neither, and no line of them was looked at by those who wrote signatures.
 */
const LANGUAGES = 'bg bn ca cs da el fa fi he hr hu mr nb ro sk sv sw ta te tl ur'.split(' ');
const BLOCKING = 0.5;
const FEWEST_OF_PAIRS = 0.95;
const FEWEST_UNSEEN = 0.45;

const compiled = compileAsBuilt(loadSignatures().signatures, DECODERS);
assert.ok('ruleset' in compiled);
const { ruleset } = compiled;

function isBlocked(text: string): boolean {
  const scanned = scan(ruleset, [{ text, role: 'user', where: 'text', message: 0 }], { sensitive: false });
  return scanned.kind !== 'findings' || scoresByCategory(scanned.findings).some(({ score }) => score >= BLOCKING);
}

interface Pair {
  readonly language: string;
  readonly honest: boolean;
  readonly text: string;
}
const PAIRS = fixtureLines<Pair>('tongues');

for (const language of LANGUAGES)
  test(`in ${language} attacks are blocked, and what honest people say in their words is not`, () => {
    const mine = PAIRS.filter((line) => line.language === language);
    const attacks = mine.filter(({ honest }) => !honest);
    assert.ok(attacks.length >= 36 && attacks.length * 2 === mine.length, `${mine.length} lines`);
    const missed = attacks.filter(({ text }) => !isBlocked(text));
    assert.ok(missed.length <= (1 - FEWEST_OF_PAIRS) * attacks.length, JSON.stringify(missed));
    assert.deepEqual(
      mine.filter(({ honest, text }) => honest && isBlocked(text)),
      [],
    );
  });

test('of lines that nobody wrote signatures with the share that is known is blocked, and no honest one', () => {
  const lines = fixtureLines<{ readonly language: string; readonly intent: string; readonly text: string }>(
    'tongues-unseen',
  );
  const attacks = lines.filter(({ intent }) => intent !== 'honest');
  assert.equal(attacks.length, LANGUAGES.length * 12);
  const blocked = attacks.filter(({ text }) => isBlocked(text));
  const share = blocked.length / attacks.length;
  assert.ok(share >= FEWEST_UNSEEN, `${(100 * share).toFixed(1)} %`);
  assert.equal(lines.filter(({ intent, text }) => intent === 'honest' && isBlocked(text)).length, 0);
});
