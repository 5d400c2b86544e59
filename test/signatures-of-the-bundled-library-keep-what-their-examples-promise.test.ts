import assert from 'node:assert/strict';
import test from 'node:test';
import { prove } from '../src/detect/prove/prove.ts';
import { compile } from '../src/detect/ruleset.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import { compileAsBuilt } from './helpers/compile-as-built.ts';

const { signatures, problems } = loadSignatures();

test('the bundled signatures load without a problem', () => {
  assert.deepEqual(problems, []);
  assert.ok(signatures.length >= 70, `${signatures.length} signatures`);
});

test('every bundled signature finds its matches and spares every near miss of every other', () => {
  const compiled = compileAsBuilt(signatures, DECODERS);
  assert.ok('ruleset' in compiled, JSON.stringify('problems' in compiled && compiled.problems));
  assert.deepEqual(prove(compiled.ruleset, signatures), []);
});

test('no signature of attacks gives honest text to the engine for want of a word to wait for', () => {
  const compiled = compileAsBuilt(signatures, DECODERS);
  assert.ok('ruleset' in compiled);
  const { rules, atoms } = compiled.ruleset;
  const hasWords = (atom: number): boolean => atoms[atom]!.groups !== null;
  const blind = rules.filter(
    ({ signature, patterns, near, all }) =>
      signature.category !== 'sensitive-data' &&
      (!patterns.every(hasWords) || [near, all].some((group) => group.length > 0 && !group.some(hasWords))),
  );
  assert.deepEqual(
    blind.map(({ signature }) => signature.id),
    [],
  );
});

test('a signature whose examples disagree with it is refused by name and place', () => {
  const [one] = signatures;
  assert.ok(one !== undefined);
  const liar = { ...one, matches: ['nothing to see here'], ignores: [one.matches[0] as string] };
  const compiled = compile([liar], []);
  assert.ok('ruleset' in compiled);
  const found = prove(compiled.ruleset, [liar]);
  assert.deepEqual(
    found.map(({ file, line, path }) => ({ file, line, path })),
    [
      { ...one.source, path: `${one.id}.matches[0]` },
      { ...one.source, path: `${one.id}.ignores[0]` },
    ],
  );
});
