import type { Policy } from '../domain/policy.ts';
import { signatureTallies, type SignatureTally } from './signature-tallies.ts';
import { leaveOneOut, type LeftOut } from './confidences.ts';
import { curveOf, type Point } from './curve.ts';
import { groupsOf, rowsUnder, type Floor } from './floors.ts';
import type { CorpusRun, EvalRun } from './record.ts';
import { subtypesOf, tallyOf, type Tally } from './tally.ts';

/** The figures of a run without its rows, small enough to be committed. */
export interface Summary {
  readonly at: string;
  readonly sensitivity: number;
  readonly signatures: number;
  readonly corpora: readonly CorpusSummary[];
  /** The figures for floors that cover several corpora or a part of one. */
  readonly groups: readonly (Tally & { readonly name: string })[];
  readonly dial: Readonly<Record<CorpusRun['direction'], readonly Point[]>>;
  readonly leftOut: readonly LeftOut[];
  readonly bySignature: readonly SignatureTally[];
}

export interface CorpusSummary extends Tally {
  readonly name: string;
  readonly direction: CorpusRun['direction'];
  readonly measuredOnly: boolean;
  readonly characters: number;
  readonly cpuMs: number;
  readonly subtypes: readonly (Tally & { readonly name: string })[];
}

export function summaryOf(run: EvalRun, policy: Policy, floors: readonly Floor[]): Summary {
  const { at, sensitivity, signatures, corpora } = run;
  return {
    at,
    sensitivity,
    signatures,
    corpora: corpora.map(({ name, direction, measuredOnly, characters, cpuMs, rows }) => ({
      name,
      direction,
      measuredOnly,
      characters,
      cpuMs,
      ...tallyOf(rows),
      subtypes: [...subtypesOf(rows)]
        .map(([subtype, some]) => Object.assign(tallyOf(some), { name: subtype }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    })),
    groups: groupsOf(floors).map((floor) => Object.assign(tallyOf(rowsUnder(floor, corpora)), { name: floor.name })),
    dial: { request: curveOf(corpora, 'request'), response: curveOf(corpora, 'response') },
    leftOut: leaveOneOut(corpora, policy),
    bySignature: signatureTallies(corpora),
  };
}
