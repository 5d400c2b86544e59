import { lengthOfMessage } from '../../domain/event-message.ts';
import type { Framer } from './frames.ts';
import { createPending } from './pending.ts';

/** Cuts a binary event stream into its messages, by the lengths that they begin with. */
export function createMessageFramer(): Framer {
  const unfinished = createPending();
  let isMalformed = false;

  return {
    push(chunk) {
      const pending = unfinished.add(chunk);
      const frames: Buffer[] = [];
      let start = 0;
      while (!isMalformed) {
        const length = lengthOfMessage(pending, start);
        if (length === 'malformed') isMalformed = true;
        else if (length === null || start + length > pending.length) break;
        else {
          frames.push(pending.subarray(start, start + length));
          start += length;
        }
      }
      if (isMalformed) {
        frames.push(pending.subarray(start));
        start = pending.length;
      }
      unfinished.drop(start);
      return frames;
    },
    incompleteFrame: unfinished.bytes,
    pendingBytes: unfinished.size,
    isMalformed: () => isMalformed,
  };
}
