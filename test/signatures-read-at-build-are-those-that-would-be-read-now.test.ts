/** What the build reads ahead is only speed: it says what reading anew would say, and is not believed of anything else. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { matcherOf, type Signature } from '../src/domain/signature.ts';
import { readAtom, type Known } from '../src/detect/patterns/known-atom.ts';
import { knownAtBuild } from '../src/detect/patterns/known-at-build.ts';
import { proveBeside } from '../src/detect/prove/prove.ts';
import { splitByBuildProof } from '../src/scanner/proven-at-build.ts';
import { compile, type Ruleset } from '../src/detect/ruleset.ts';
import { proofsFor } from '../src/scanner/proof.ts';
import { loadSignatures, parseSignatures } from '../src/signatures/load.ts';
import { readAtBuild } from '../src/signatures/read-at-build.ts';
import { DECODERS } from '../src/text/decoders/index.ts';

const BUILT = fileURLToPath(new URL('../src/', import.meta.url));
const THREADS = fileURLToPath(new URL('../workers/', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const folders: string[] = [];

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function known(): Known {
  const found = knownAtBuild();
  assert.ok(found !== null, 'the build has not read ahead');
  return found;
}

function rulesetOf(signatures: readonly Signature[], ready?: Known): Ruleset {
  const compiled = compile(signatures, DECODERS, ready);
  assert.ok('ruleset' in compiled, JSON.stringify(compiled));
  return compiled.ruleset;
}

/** A copy of the built program that can be spoilt. */
function copy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'guard-read-ahead-'));
  folders.push(folder);
  cpSync(BUILT, join(folder, 'src'), { recursive: true });
  cpSync(THREADS, join(folder, 'workers'), { recursive: true });
  symlinkSync(MODULES, join(folder, 'node_modules'));
  return folder;
}

function told(folder: string, program: string): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout);
}

const READS = `
const { readAtBuild } = await import(process.cwd() + '/src/signatures/read-at-build.js');
const { loadSignatures } = await import(process.cwd() + '/src/signatures/load.js');
console.log(JSON.stringify([readAtBuild() !== null, loadSignatures().signatures.map(({ id }) => id)]));`;
const KNOWS = `
const { knownAtBuild } = await import(process.cwd() + '/src/detect/patterns/known-at-build.js');
console.log(JSON.stringify(knownAtBuild() !== null));`;
const UNPROVEN = `
const { splitByBuildProof } = await import(process.cwd() + '/src/scanner/proven-at-build.js');
const { loadSignatures } = await import(process.cwd() + '/src/signatures/load.js');
console.log(JSON.stringify(splitByBuildProof(loadSignatures().signatures).unproven.length));`;
const OWN = `
category: jailbreak
signatures:
  - id: any-password
    name: A password is named
    confidence: 0.9
    why: It finds near misses of the bundled ones.
    patterns: ['password']
    matches: [password, the password, a password]
    ignores: [pass, words]
`;

test('the signatures that the build read are those of the files, in their order', () => {
  const folder = join(BUILT, 'signatures');
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.yaml')).sort();
  const anew = files.flatMap(
    (name) => parseSignatures(readFileSync(join(folder, name), 'utf8'), `signatures/${name}`).signatures,
  );
  assert.ok(anew.length > 400);
  // As JSON, which leaves out what is undefined in either.
  assert.deepEqual(readAtBuild(), JSON.parse(JSON.stringify(anew)));
});

test('a signature file that was changed after the build is read', () => {
  const folder = copy();
  const [fromBuild, before] = told(folder, READS) as [boolean, string[]];
  assert.ok(fromBuild);
  const file = join(folder, 'src/signatures/sensitive-money.yaml');
  appendFileSync(file, '\n# One more word.\n');
  const [stale, after] = told(folder, READS) as [boolean, string[]];
  assert.equal(stale, false);
  assert.deepEqual(after, before);
  rmSync(file);
  const [, without] = told(folder, READS) as [boolean, string[]];
  assert.ok(without.length < before.length && without.length > 100);
});

test('what the build knows of each atom is what reading its patterns says', () => {
  const { signatures } = loadSignatures();
  const anew = rulesetOf(signatures);
  const ready = rulesetOf(signatures, known());
  assert.equal(ready.atoms.length, anew.atoms.length);
  for (const [at, atom] of ready.atoms.entries()) {
    const { source, max, written, groups, marks } = anew.atoms[at]!;
    const sought = groups?.map(({ keys, share, apart }) => ({
      share,
      apart,
      keys: [...new Map(keys.map((key) => [`${key.kind}:${key.text}`, key])).values()],
    }));
    assert.deepEqual(atom, { source, max, written, groups: sought ?? null, marks });
  }
  assert.deepEqual(
    ready.rules.map(({ proofs }) => proofs.map(String)),
    anew.rules.map(({ proofs }) => proofs.map(String)),
  );
});

test('most atoms are known, and a pattern that the build has not seen is read', () => {
  const { atom } = known();
  const { atoms } = rulesetOf(loadSignatures().signatures);
  const seen = atoms.filter(({ written }) => atom(written, false) !== undefined || atom(written, true) !== undefined);
  assert.equal(seen.length, atoms.length);
  const written = ['open the gates of the old pumpkin'];
  assert.equal(atom(written, false), undefined);
  const read = readAtom(written, false, () => assert.fail());
  assert.ok(read.groups !== null && read.max > 20);
});

test('an atom whose letters mean their case is not known as one whose letters do not', () => {
  const { atom } = known();
  const { rules, atoms } = rulesetOf(loadSignatures().signatures.filter(({ exact }) => exact === true));
  assert.ok(rules.length > 10);
  for (const { written } of atoms) {
    assert.match(atom(written, true)!.source, /\(\?-i:/);
    assert.doesNotMatch(atom(written, false)?.source ?? '', /\(\?-i:/);
  }
});

test('a pattern that RE2 refuses is told with its place also where everything else is known', () => {
  const { signatures } = loadSignatures();
  const one = signatures.find(({ patterns, check, keys }) => patterns.length > 0 && !check && !keys);
  const broken: Signature = { ...one!, id: 'a-broken-one', patterns: ['say [z-a] twice'] };
  const compiled = compile([...signatures, broken], DECODERS, known());
  assert.ok('problems' in compiled);
  assert.deepEqual(
    compiled.problems.map(({ file, line, path }) => [file, line, path]),
    [[one!.source.file, one!.source.line, 'a-broken-one.patterns']],
  );
  assert.match(compiled.problems[0]!.message, /RE2 refuses/);
});

test('programs that read otherwise than those of the build are not told what it knows', () => {
  const folder = copy();
  assert.equal(told(folder, KNOWS), true);
  for (const program of ['detect/patterns/commonness.js', 'text/separators.js']) {
    const file = join(folder, 'src', program);
    const before = readFileSync(file);
    appendFileSync(file, '\n');
    assert.equal(told(folder, KNOWS), false, program);
    writeFileSync(file, before);
  }
  assert.equal(told(folder, KNOWS), true);
});

test('every program that the reading of a pattern takes is among those that are compared', () => {
  const folder = join(BUILT, 'detect/patterns');
  const readers = readdirSync(folder).filter((name) => name.endsWith('.js'));
  assert.ok(readers.length > 5);
  for (const name of readers) {
    const imports = readFileSync(join(folder, name), 'utf8').matchAll(/from '([^']+)'/g);
    for (const [, imported] of imports)
      assert.match(imported!, /^(?:\.\/|node:|\.\.\/\.\.\/text\/separators\.js$)/, `${name} imports ${imported}`);
  }
});

test('what the build held against its examples counts as proven wherever it is written, alone or beside others, and nothing that differs from it', () => {
  const { signatures } = loadSignatures();
  assert.deepEqual(splitByBuildProof(signatures), { proven: signatures, unproven: [] });
  const fewer = signatures.slice(1);
  assert.deepEqual(splitByBuildProof(fewer), { proven: fewer, unproven: [] });
  const moved = signatures.map((one) => ({ ...one, source: { file: 'elsewhere.yaml', line: 7 } }));
  assert.deepEqual(splitByBuildProof(moved).unproven, []);
  const [first, ...rest] = signatures as [Signature, ...Signature[]];
  for (const changed of [{ confidence: first.confidence / 2 }, { ignores: [...first.ignores, 'x'] }, { within: 7 }]) {
    const other = { ...first, ...changed };
    assert.deepEqual(splitByBuildProof([other, ...rest]), { proven: rest, unproven: [other] });
  }
});

test('nothing counts as proven by the build with programs that the build did not have', () => {
  for (const program of ['src/kernels/spot.wasm', 'workers/scan.js']) {
    const folder = copy();
    assert.equal(told(folder, UNPROVEN), 0);
    appendFileSync(join(folder, program), '\n');
    assert.equal(told(folder, UNPROVEN), loadSignatures().signatures.length, program);
  }
});

test('of what is proven each thread still asks a part, and no two the same', () => {
  const { signatures } = loadSignatures();
  const asked = proofsFor(signatures, 3, false).map((proof) => {
    assert.deepEqual([proof.unproven, proof.toRecheck], [[], []]);
    return proof.toProve.map(({ id }) => id);
  });
  assert.ok(asked.every((ids) => ids.length >= 5 && ids.length < 20));
  assert.equal(new Set(asked.flat()).size, asked.flat().length);
  // More threads make the part of none of them smaller.
  assert.deepEqual(
    proofsFor(signatures, 64, false)[2]!.toProve.map(({ id }) => id),
    asked[2],
  );
});

test('whoever wants the whole proven is believed no build: the threads share all examples', () => {
  const { signatures } = loadSignatures();
  const shares = proofsFor(signatures, 2, true);
  assert.ok(shares.every(({ unproven, toRecheck }) => unproven.length === 0 && toRecheck.length === 0));
  assert.deepEqual(new Set(shares.flatMap(({ toProve }) => toProve)), new Set(signatures));
});

test("beside signatures of one's own only those are held against all examples, and near misses of the others against them", () => {
  const { signatures } = loadSignatures();
  const own = parseSignatures(OWN, 'own.yaml').signatures;
  const shares = proofsFor([...signatures, ...own], 2, false);
  assert.deepEqual(new Set(shares.flatMap(({ toRecheck }) => toRecheck)), new Set(signatures));
  const asked = shares.flatMap(({ toProve }) => toProve);
  assert.ok(asked.includes(own[0]!) && asked.length < 40);
  for (const { unproven } of shares) assert.deepEqual(unproven, own.map(matcherOf));

  const beside = compile(own, DECODERS);
  assert.ok('ruleset' in beside);
  const problems = proveBeside(rulesetOf([...signatures, ...own], known()), beside.ruleset, signatures);
  const near = signatures.flatMap(({ id, ignores }) =>
    ignores.flatMap((text, i) => (/\bpassword\b/i.test(text) ? [`${id}.ignores[${i}]`] : [])),
  );
  assert.ok(near.length > 0);
  for (const path of near)
    assert.ok(
      problems.some((problem) => problem.path === path),
      path,
    );
  const said = /^would be blocked as (?:jailbreak by any-password|encoding-evasion by hidden:base64): /;
  assert.deepEqual(
    problems.filter(({ message }) => !said.test(message)),
    [],
  );
});
