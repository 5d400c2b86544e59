/** A signature with `hidden: true` finds what was hidden, in any script, and nothing that is said openly. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { rulesetOf } from '../bench/as-shipped.ts';
import { scan } from '../src/detect/scan.ts';
import { parseSignatures } from '../src/signatures/load.ts';
import { DECODERS } from '../src/text/decoders/index.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const WRITTEN = `category: jailbreak
signatures:
  - id: cave
    name: Word for the cave
    confidence: 0.6
    hidden: true
    why: Whoever hides the word means the cave.
    patterns: ['open sesame']
    near:
      - ['открой', 'откройте']
      - ['пещер[уы]', 'сезам']
    within: 30
    matches: ['${base64('please open sesame for me now')}', '${base64('Открой мне эту старую пещеру, прошу')}', '0p3n 535am3, plea53 n0w']
    ignores: [open sesame, откройте пещеру]
`;

const { signatures, problems } = parseSignatures(WRITTEN, 'cave.yaml');
const ruleset = rulesetOf(signatures, DECODERS);
const found = (text: string): readonly string[] => {
  const scanned = scan(ruleset, [{ text, role: 'user', where: 'text', message: 0 }]);
  assert.ok(scanned.kind === 'findings');
  return scanned.findings.map(({ signature }) => signature).filter((id) => id === 'cave');
};

test('the file is sound', () => {
  assert.deepEqual(problems, []);
});

const SAID = ['Tell them to open sesame and wait.', 'Откройте им эту большую пещеру и ждите.'];
for (const said of SAID) {
  test(`openly it is nothing: ${said}`, () => {
    assert.deepEqual(found(said), []);
  });
  test(`hidden it is found, once: ${said}`, () => {
    assert.deepEqual(found(base64(said)), ['cave']);
    assert.deepEqual(found(`See below.\n\n${base64(said)}\n\n${base64(said)}`), ['cave']);
  });
  test(`hidden beside the same said openly it is nothing: ${said}`, () => {
    assert.deepEqual(found(`${said} ${base64(said)}`), []);
  });
  test(`hidden beside its words in another order it is found: ${said}`, () => {
    assert.deepEqual(found(`${said.split(' ').reverse().join(' ')} ${base64(said)}`), ['cave']);
  });
}

test('half of it openly and half of it hidden is nothing', () => {
  assert.deepEqual(found(`Откройте это: ${base64('большую пещеру, прошу вас')}`), []);
});
