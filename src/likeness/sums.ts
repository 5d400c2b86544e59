import { kernelOf, PAGE, STRIDE } from '../kernels.ts';
import type { Memory, KernelGlobal } from '../kernels.ts';
import { createLexicon } from './lexicon.ts';
import { BYTE_CODE } from './words.ts';

/** What kernel/likeness.ts finds in a whole text, with one look at each word. */
export interface Sums {
  readonly words: number;
  /** Windows of four steps: one ends behind each step. */
  readonly wide: Windows;
  /** Windows of one step: one ends behind each quarter of a step. */
  readonly narrow: Windows;
}

export interface Windows {
  /** How many words the last window lacks. */
  readonly missing: number;
  /**
   * The sum of the last window, and that of the best of those before it, which are all full. `bestEnd` is how many
   * words there were at its end.
   */
  readonly last: number;
  readonly best: number;
  readonly bestEnd: number;
}

interface Exports {
  readonly memory: Memory;
  readonly SUMS: KernelGlobal;
  readonly CODES: KernelGlobal;
  readonly SLOTS: KernelGlobal;
  readonly STEMS: KernelGlobal;
  readonly CONCEPTS: KernelGlobal;
  readonly BYTES: KernelGlobal;
  readonly prepare: (wordsInStep: number) => void;
  readonly score: (length: number) => void;
}

const make = kernelOf<Exports>('likeness');

export function createSums(slots: Uint16Array, step: number): (bytes: Uint8Array, from: number, to: number) => Sums {
  const { memory, SUMS, CODES, SLOTS, STEMS, CONCEPTS, BYTES, prepare, score } = make();
  const { stems, concepts } = createLexicon();
  new Int32Array(memory.buffer, CODES.value).set(BYTE_CODE);
  new Uint16Array(memory.buffer, SLOTS.value).set(slots);
  new Int32Array(memory.buffer, STEMS.value).set(stems);
  new Uint8Array(memory.buffer, CONCEPTS.value).set(concepts);
  prepare(step);
  const viewMemory = () => ({
    text: new Uint8Array(memory.buffer, BYTES.value),
    sums: new Int32Array(memory.buffer, SUMS.value, 9),
  });
  let { text, sums } = viewMemory();
  return (bytes, from, to) => {
    const length = to - from;
    if (length + STRIDE > text.length) {
      memory.grow(Math.ceil((length + STRIDE - text.length) / PAGE));
      ({ text, sums } = viewMemory());
    }
    text.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
    text.fill(0, length, length + STRIDE);
    score(length);
    return {
      words: sums[0]!,
      wide: { missing: sums[1]!, last: sums[2]!, best: sums[3]!, bestEnd: sums[4]! },
      narrow: { missing: sums[5]!, last: sums[6]!, best: sums[7]!, bestEnd: sums[8]! },
    };
  };
}
