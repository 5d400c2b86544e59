import { isAttack, type Judged } from './judge.ts';
import type { CorpusRun } from './record.ts';

/** What one signature is worth on labelled text. */
export interface SignatureTally {
  readonly signature: string;
  readonly hits: number;
  readonly falseHits: number;
  /** Attacks in which nothing else was found. */
  readonly alone: number;
  /** Attacks, and benign texts, that would not be blocked without it. */
  readonly needed: number;
  readonly falselyNeeded: number;
  /** In how many corpora it hit an attack. */
  readonly corpora: number;
}

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
