import { loadSignatures } from '../../src/signatures/load.ts';

const KEPT = new Set(['override-prior-instructions', 'extract-system-prompt']);

/**
 * Settings under which a thread starts in a third of the time. A thread that dies, hangs or is replaced does so the same
 * with two signatures as with all of them, and tests of that start threads by the dozen.
 */
export const FEW_SIGNATURES = {
  scanner: { likeness: false },
  signatures: {
    disabled: loadSignatures()
      .signatures.map(({ id }) => id)
      .filter((id) => !KEPT.has(id)),
  },
} as const;
