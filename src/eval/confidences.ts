import type { Finding } from '../domain/finding.ts';
import { decide, type Policy } from '../domain/policy.ts';
import { isAttack } from './judge.ts';
import type { CorpusRun } from './record.ts';
import { shareOf } from './tally.ts';

/**
 * The confidence that the development corpora support for a signature, and how much of it depends on a single corpus.
 */
export interface Confidence {
  readonly signature: string;
  readonly hits: number;
  readonly falseHits: number;
  readonly corpora: number;
  /** The confidence in the signature's entry. */
  readonly written: number;
  /** The lower bound of its precision over all corpora. */
  readonly suggested: number;
  /** The same without the corpus that supports it most. This shows what the signature is worth beyond that corpus. */
  readonly withoutBest: number;
}

/**
 * A hit is weighted by one over the size of its corpus, so that a corpus of 6,000 rows does not outvote the others. A
 * small corpus counts as one of 100 rows; otherwise a single hit in it would outweigh everything else.
 */
const SMALLEST_CORPUS = 100;
/** One-sided 95 %: three hits without a false one give 0.53, ten give 0.79, fifty give 0.95. */
const Z = 1.645;
const [LEAST, MOST] = [0.02, 0.97];

interface Evidence {
  readonly corpus: string;
  readonly hits: number;
  readonly falseHits: number;
  readonly hitWeight: number;
  readonly falseWeight: number;
}

interface Gathered {
  readonly bySignature: ReadonlyMap<string, readonly Evidence[]>;
  readonly written: ReadonlyMap<string, number>;
}

export function confidencesOf(corpora: readonly CorpusRun[]): readonly Confidence[] {
  const { bySignature, written } = gather(corpora.filter(({ measuredOnly }) => !measuredOnly));
  return [...bySignature].map(([signature, all]) => ({
    signature,
    hits: sum(all, ({ hits }) => hits),
    falseHits: sum(all, ({ falseHits }) => falseHits),
    corpora: all.filter(({ hits }) => hits > 0).length,
    written: written.get(signature) ?? 0,
    suggested: boundOf(all),
    withoutBest: Math.min(
      ...all.filter(({ hits }) => hits > 0).map(({ corpus }) => boundWithout(all, corpus)),
      boundOf(all),
    ),
  }));
}

function gather(corpora: readonly CorpusRun[]): Gathered {
  const bySignature = new Map<string, Evidence[]>();
  const written = new Map<string, number>();
  for (const { name, rows } of corpora) {
    const attacks = rows.filter(isAttack).length;
    const counts = new Map<string, { hits: number; falseHits: number }>();
    for (const row of rows) {
      for (const [signature, confidence] of row.found) {
        if (!isOfSignature(signature)) continue;
        const count = counts.get(signature) ?? { hits: 0, falseHits: 0 };
        counts.set(signature, count);
        written.set(signature, Math.max(written.get(signature) ?? 0, confidence));
        if (isAttack(row)) count.hits += 1;
        else count.falseHits += 1;
      }
    }
    for (const [signature, { hits, falseHits }] of counts) {
      const evidence = {
        corpus: name,
        hits,
        falseHits,
        hitWeight: 1 / Math.max(SMALLEST_CORPUS, attacks),
        falseWeight: 1 / Math.max(SMALLEST_CORPUS, rows.length - attacks),
      };
      bySignature.set(signature, [...(bySignature.get(signature) ?? []), evidence]);
    }
  }
  return { bySignature, written };
}

/** Whether a finding comes from a signature. `hidden:` and likeness findings get their confidence elsewhere. */
function isOfSignature(signature: string): boolean {
  return !signature.startsWith('hidden:') && !signature.startsWith('likeness');
}

/** The lower bound of the Wilson score interval. The sample size is the effective one for weighted hits (Kish). */
function boundOf(all: readonly Evidence[]): number {
  const right = sum(all, ({ hits, hitWeight }) => hits * hitWeight);
  const wrong = sum(all, ({ falseHits, falseWeight }) => falseHits * falseWeight);
  const squares = sum(all, (e) => e.hits * e.hitWeight ** 2 + e.falseHits * e.falseWeight ** 2);
  if (right === 0) return LEAST;
  const n = (right + wrong) ** 2 / squares;
  const p = right / (right + wrong);
  const middle = p + Z ** 2 / (2 * n);
  const spread = Z * Math.sqrt((p * (1 - p)) / n + Z ** 2 / (4 * n ** 2));
  const bound = (middle - spread) / (1 + Z ** 2 / n);
  return Math.round(100 * Math.min(MOST, Math.max(LEAST, bound))) / 100;
}

function boundWithout(all: readonly Evidence[], corpus: string): number {
  return boundOf(all.filter((evidence) => evidence.corpus !== corpus));
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}

export interface LeftOut {
  readonly corpus: string;
  readonly attacks: number;
  readonly recall: number | null;
  readonly benign: number;
  readonly falsePositives: number | null;
}

/**
 * Estimates what signatures would block in an unseen corpus. Each confidence is computed from the other corpora, and
 * a signature that matches in none of those counts as not written.
 */
export function leaveOneOut(corpora: readonly CorpusRun[], policy: Policy): readonly LeftOut[] {
  const { bySignature } = gather(corpora.filter(({ measuredOnly }) => !measuredOnly));
  return corpora.map(({ name, direction, rows }) => {
    const bounds = new Map([...bySignature].map(([signature, all]) => [signature, boundWithout(all, name)]));
    const isBlocked = ({ found }: CorpusRun['rows'][number]): boolean => {
      const findings: Finding[] = found.flatMap(([signature, , category]) =>
        isOfSignature(signature)
          ? [
              {
                signature,
                name: '',
                category,
                confidence: bounds.get(signature) ?? LEAST,
                role: 'user',
                where: '',
                via: [],
              },
            ]
          : [],
      );
      return (
        decide(policy, findings, { direction, upstream: null, path: '', client: () => null, now: 0 }).action === 'block'
      );
    };
    const attacks = rows.filter(isAttack);
    const benign = rows.filter((row) => !isAttack(row));
    return {
      corpus: name,
      attacks: attacks.length,
      recall: shareOf(attacks.filter(isBlocked).length, attacks.length),
      benign: benign.length,
      falsePositives: shareOf(benign.filter(isBlocked).length, benign.length),
    };
  });
}
