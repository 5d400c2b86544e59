/**
 * Distributes the proof of a ruleset over the threads that start with it. To prove a signature is to check that it
 * matches its positive examples and not its negative ones.
 */
import type { ProofTask } from '../domain/proof.ts';
import { matcherOf, type Signature } from '../domain/signature.ts';
import { splitByBuildProof } from './proven-at-build.ts';

/**
 * Of the signatures that were proven at build time, each thread checks one in 96, a different sample per thread. This
 * detects an engine that does not work on this machine. A handful is enough for that, and each takes milliseconds while
 * the code is still cold.
 */
const SAMPLE_EVERY = 96;

/** `provesAll`: prove all signatures, and do not rely on what was proven at build time. */
export function proofsFor(signatures: readonly Signature[], threads: number, provesAll: boolean): readonly ProofTask[] {
  const { proven, unproven } = provesAll ? { proven: [], unproven: signatures } : splitByBuildProof(signatures);
  return Array.from({ length: threads }, (_, at) => {
    const sample = everyNth(proven, SAMPLE_EVERY, at % SAMPLE_EVERY);
    return {
      toProve: [...everyNth(unproven, threads, at), ...sample],
      unproven: proven.length === 0 ? [] : unproven.map(matcherOf),
      toRecheck: unproven.length === 0 ? [] : everyNth(proven, threads, at),
    };
  });
}

/** Every `n`th element, from the one at `offset` on. */
function everyNth(signatures: readonly Signature[], n: number, offset: number): readonly Signature[] {
  return signatures.filter((_, i) => i % n === offset);
}
