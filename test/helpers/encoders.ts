/**
 * Ways to write a sentence so that a filter does not see it and a model still reads it, written from what attackers do and
 * without a look at how the scanner undoes them: an encoder that borrows from its decoder proves nothing.
 */
import { BINARY_ENCODERS } from './encoders-binary.ts';
import { CIPHER_ENCODERS } from './encoders-cipher.ts';
import { FRAME_ENCODERS } from './encoders-frame.ts';
import { LOOK_ENCODERS } from './encoders-look.ts';
import { NESTED_ENCODERS } from './encoders-nested.ts';
import { ROW_ENCODERS } from './encoders-rows.ts';

/**
 * What survives: words whose case and punctuation do not matter, ASCII, or any text. A pair of encoders makes sense only
 * when the second carries what the first gives; nobody, model or scanner, reads base64 whose capitals are lost.
 */
export type Alphabet = 'words' | 'ascii' | 'anything';

export interface Encoder {
  /** The row of the catalogue of text evasions that it belongs to. */
  readonly row: string;
  readonly name: string;
  readonly carries: Alphabet;
  readonly gives: Alphabet;
  /** Surroundings for a payload come last in a pair; what not even the scanner can open is not paired at all. */
  readonly pairs?: 'last' | 'never';
  /** How often it encodes; 1 unless said. */
  readonly layers?: 2 | 3;
  readonly encode: (text: string) => string;
}

export const ENCODERS: readonly Encoder[] = [
  ...LOOK_ENCODERS,
  ...CIPHER_ENCODERS,
  ...BINARY_ENCODERS,
  ...NESTED_ENCODERS,
  ...ROW_ENCODERS,
  ...FRAME_ENCODERS,
].sort((a, b) => Number(a.row.slice(1)) - Number(b.row.slice(1)));

const RANK = { words: 0, ascii: 1, anything: 2 } satisfies Record<Alphabet, number>;

/** What is wrapped more often is given up by design: the budget of the scanner would be the sender's to spend. */
const LAYERS = 3;

const layersOf = ({ layers }: Encoder): number => layers ?? 1;

/** Every two that can be undone one after the other. */
export function pairsOf(encoders: readonly Encoder[]): readonly (readonly [inner: Encoder, outer: Encoder])[] {
  return encoders
    .filter((inner) => inner.pairs === undefined)
    .flatMap((inner) =>
      encoders
        .filter((outer) => outer !== inner && outer.pairs !== 'never' && RANK[inner.gives] <= RANK[outer.carries])
        .filter((outer) => layersOf(inner) + layersOf(outer) <= LAYERS)
        .map((outer) => [inner, outer] as const),
    );
}
