import { lengthOfMessage } from '../../domain/event-message.ts';
import type { Framer } from './frames.ts';

/** Cuts a binary event stream into its messages, by the lengths that they begin with. */
export function createMessageFramer(): Framer {
  let pending: Buffer = Buffer.alloc(0);
  let isMalformed = false;

  return {
    push(chunk) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
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
      pending = pending.subarray(start);
      if (isMalformed) {
        frames.push(pending);
        pending = Buffer.alloc(0);
      }
      return frames;
    },
    incompleteFrame: () => pending,
    pendingBytes: () => pending.length,
    isMalformed: () => isMalformed,
  };
}
