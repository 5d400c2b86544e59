import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Key } from './keys.ts';
import { readProof } from './known-atom.ts';
import type { Known, KnownAtom, KnownProof } from './known-atom.ts';
import type { Ruleset } from './ruleset.ts';

/**
 * What the build read from the bundled patterns, so that no thread reads them again: half of what a ruleset takes to
 * compile. It is found by the words of a pattern and not by its place, so that an operator's own signatures, or a changed
 * file, are simply read. What the reading itself does is in the files below: of others than these nothing is believed.
 * Refused: keeping RE2's own programs, which it cannot write down.
 */
const FILE = new URL('./known-at-build.json', import.meta.url);
const READERS = ['commonness', 'keys', 'known-atom', 'known-at-build', 'literals', 'pattern', 'pattern-tree'];

/** Keys stand in many groups, and are written down once. */
interface Kept {
  readonly readers: string;
  readonly kinds: readonly Key['kind'][];
  readonly keys: readonly (readonly [kind: number, text: string])[];
  readonly atoms: readonly (readonly [
    name: string,
    source: string,
    max: number,
    groups: readonly (readonly [share: number, keys: readonly number[]])[] | null,
  ])[];
  readonly proofs: readonly (readonly [written: string, source: string, beginsAnywhere: boolean])[];
}

/** Null when there is nothing to believe: it was not built, or from other readers. */
export function knownAtBuild(): Known | null {
  let kept: Kept;
  try {
    kept = JSON.parse(readFileSync(FILE, 'utf8')) as Kept;
    if (kept.readers !== readersOf()) return null;
  } catch {
    return null;
  }
  const keys = kept.keys.map(([kind, text]): Key => ({ kind: kept.kinds[kind]!, text }));
  const atoms = new Map<string, Kept['atoms'][number]>(kept.atoms.map((atom) => [atom[0], atom]));
  const proofs = new Map<string, KnownProof>(
    kept.proofs.map(([written, source, beginsAnywhere]) => [written, { source, beginsAnywhere }]),
  );
  return {
    atom(written, exact): KnownAtom | undefined {
      const found = atoms.get(nameOf(written, exact));
      if (found === undefined) return undefined;
      const [, source, max, groups] = found;
      const sought = groups?.map(([share, members]) => ({ share, keys: members.map((member) => keys[member]!) }));
      return { source, max, groups: sought ?? null };
    },
    proof: (written) => proofs.get(written),
  };
}

/** Of a ruleset that was compiled: RE2 has accepted all of it. */
export function writeKnownAtBuild({ rules, atoms }: Ruleset): void {
  const numbers = new Map<string, number>();
  const kinds: Key['kind'][] = [];
  const keys: [number, string][] = [];
  const numberOf = ({ kind, text }: Key): number => {
    const name = `${kind}:${text}`;
    const number = numbers.get(name) ?? keys.length;
    if (number === keys.length) {
      numbers.set(name, number);
      if (!kinds.includes(kind)) kinds.push(kind);
      keys.push([kinds.indexOf(kind), text]);
    }
    return number;
  };
  const exact = new Set(
    rules.flatMap(({ signature, patterns, near, all }) =>
      signature.exact === true ? [...patterns, ...near, ...all] : [],
    ),
  );
  const proven = rules.filter(({ proofs }) => proofs.length > 0).flatMap(({ signature }) => signature.patterns);
  const kept: Kept = {
    readers: readersOf(),
    kinds,
    keys,
    atoms: atoms.map(({ written, source, max, groups }, at) => [
      nameOf(written, exact.has(at)),
      source,
      max,
      groups?.map(({ share, keys }) => [share, [...new Set(keys.map(numberOf))]] as const) ?? null,
    ]),
    proofs: [...new Set(proven)].flatMap((written) => {
      const made = readProof(written);
      return made.ok ? [[written, made.source, made.beginsAnywhere] as const] : [];
    }),
  };
  writeFileSync(FILE, JSON.stringify(kept));
}

function nameOf(written: readonly string[], exact: boolean): string {
  return `${exact ? '=' : '~'}${JSON.stringify(written)}`;
}

function readersOf(): string {
  const hash = createHash('sha256');
  for (const name of READERS) hash.update(readFileSync(new URL(`./${name}.js`, import.meta.url)));
  return hash.digest('base64');
}
