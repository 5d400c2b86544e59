/** What has to be proven of signatures before they are put to work, and which thread does what of it. */
import type { Proof } from '../domain/proof.ts';
import { matcherOf, type Signature } from '../domain/signature.ts';
import { provenAtBuild } from './proven-at-build.ts';

/**
 * Of signatures that the build has proven each thread asks one in so many, others than its neighbours ask, so that an engine
 * that cannot match here is seen. A handful is enough for that, and in code that is still cold each takes milliseconds.
 */
const SAMPLED = 96;

/** `whole`: nothing that the build says is believed. */
export function proofsFor(signatures: readonly Signature[], threads: number, whole: boolean): readonly Proof[] {
  const { proven, others } = whole ? { proven: [], others: signatures } : provenAtBuild(signatures);
  return Array.from({ length: threads }, (_, at) => {
    const sample = everyOf(proven, SAMPLED, at % SAMPLED);
    return {
      asked: [...everyOf(others, threads, at), ...sample],
      others: proven.length === 0 ? [] : others.map(matcherOf),
      spared: others.length === 0 ? [] : everyOf(proven, threads, at),
    };
  });
}

function everyOf(signatures: readonly Signature[], so: number, at: number): readonly Signature[] {
  return signatures.filter((_, i) => i % so === at);
}
