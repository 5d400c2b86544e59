/**
 * Distributes the proof of a ruleset over the threads that start with it. To prove a signature is to check that it
 * matches its positive examples and not its negative ones.
 */
import type { ProofTask } from '../domain/proof.ts';
import { matcherOf, type Signature } from '../domain/signature.ts';
import { provenAtBuild } from './proven-at-build.ts';

/**
 * Of the signatures that were proven at build time, each thread checks one in 96, a different sample per thread. This
 * detects an engine that does not work on this machine. A handful is enough for that, and each takes milliseconds while
 * the code is still cold.
 */
const SAMPLED = 96;

/** `whole`: prove all signatures, and do not rely on what was proven at build time. */
export function proofsFor(signatures: readonly Signature[], threads: number, whole: boolean): readonly ProofTask[] {
  const { proven, others } = whole ? { proven: [], others: signatures } : provenAtBuild(signatures);
  return Array.from({ length: threads }, (_, at) => {
    const sample = everyOf(proven, SAMPLED, at % SAMPLED);
    return {
      toProve: [...everyOf(others, threads, at), ...sample],
      unproven: proven.length === 0 ? [] : others.map(matcherOf),
      toRecheck: others.length === 0 ? [] : everyOf(proven, threads, at),
    };
  });
}

/** Every element with an index congruent to `at` modulo `so`. */
function everyOf(signatures: readonly Signature[], so: number, at: number): readonly Signature[] {
  return signatures.filter((_, i) => i % so === at);
}
