import { isMemorySpent } from '../domain/memory.ts';

/**
 * A large text is read in many forms, each as long as itself, and how many there are depends on the text. Where that
 * takes more memory than there is, the kernel would end the process, and every call with it. So the thread that reads
 * the text looks at what is in use from time to time, and stops when nothing is left.
 */

/** So often the memory is looked at. */
const LOOKED_MS = 10;
/** What is in use so soon after garbage was collected is no garbage. */
const COLLECTED_MS = 200;
/**
 * How many times its length a text may take before the scan asks again. A pass of one decoder over all of it has taken 14
 * times its length. The rest of that is within the tenth of the memory that counts as spent, and the files of the program.
 */
const RESERVED = 6;

/**
 * Returns whether to stop, to be asked before the text is read and then between slices. `giveUp` frees what can be made
 * anew, and garbage.
 */
export function watchMemory(
  bytes: number,
  giveUp: () => void,
  now = (): number => performance.now(),
  isSpent = isMemorySpent,
): () => boolean {
  let lookedAt = -Infinity;
  let collectedAt = -Infinity;
  let ends = false;
  return () => {
    const time = now();
    if (ends || time - lookedAt < LOOKED_MS) return ends;
    lookedAt = time;
    if (!isSpent(RESERVED * bytes)) return false;
    if (time - collectedAt >= COLLECTED_MS) {
      giveUp();
      collectedAt = now();
      lookedAt = collectedAt;
    }
    ends = isSpent(RESERVED * bytes);
    return ends;
  };
}
