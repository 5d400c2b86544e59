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
/** How many times its length a text takes before the scan asks for the first time whether to stop, */
const AT_FIRST = 6;
/** and from then on between two times. */
const LATER = 3;

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
  let next = AT_FIRST * bytes;
  let ends = false;
  return () => {
    const time = now();
    if (ends || time - lookedAt < LOOKED_MS) return ends;
    lookedAt = time;
    const more = next;
    next = LATER * bytes;
    if (!isSpent(more)) return false;
    if (time - collectedAt >= COLLECTED_MS) {
      giveUp();
      collectedAt = now();
      lookedAt = collectedAt;
    }
    ends = isSpent(more);
    return ends;
  };
}
