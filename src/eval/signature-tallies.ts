import { isAttack, type Judged } from './judge.ts';
import type { CorpusRun } from './record.ts';

/** What one signature contributes on labelled texts. */
export interface SignatureTally {
  readonly signature: string;
  readonly hits: number;
  readonly falseHits: number;
  /** Attacks in which no other signature was found. */
  readonly alone: number;
  /** Attacks that would not be blocked without it; `falselyNeeded` counts benign texts in the same way. */
  readonly needed: number;
  readonly falselyNeeded: number;
  /** The number of corpora in which it matched an attack. */
  readonly corpora: number;
}

/** The tallies of all signatures that were found, those with the most false hits first. */
export function signatureTallies(corpora: readonly CorpusRun[]): readonly SignatureTally[] {
  const tallies = new Map<string, SignatureTally>();
  const lastCorpus = new Map<string, string>();
  const add = (signature: string, corpus: string, row: Judged): void => {
    const attack = isAttack(row);
    const needed = row.needed.includes(signature);
    const known = tallies.get(signature) ?? NONE;
    const isNewCorpus = attack && lastCorpus.get(signature) !== corpus;
    if (isNewCorpus) lastCorpus.set(signature, corpus);
    tallies.set(signature, {
      signature,
      hits: known.hits + Number(attack),
      falseHits: known.falseHits + Number(!attack),
      alone: known.alone + Number(attack && row.found.length === 1),
      needed: known.needed + Number(attack && needed),
      falselyNeeded: known.falselyNeeded + Number(!attack && needed),
      corpora: known.corpora + Number(isNewCorpus),
    });
  };
  for (const { name, rows } of corpora)
    for (const row of rows) for (const [signature] of row.found) add(signature, name, row);
  return [...tallies.values()].sort((a, b) => b.falseHits - a.falseHits || b.hits - a.hits);
}

const NONE: SignatureTally = {
  signature: '',
  hits: 0,
  falseHits: 0,
  alone: 0,
  needed: 0,
  falselyNeeded: 0,
  corpora: 0,
};
