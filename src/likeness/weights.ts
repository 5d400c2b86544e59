import { createHash } from 'node:crypto';
import { endianness } from 'node:os';
import { lexiconChecksum } from './lexicon.ts';
import { addToHash, REPEAT_DISTANCE, SILENT_WORDS, STEM_LETTERS, STEPS_PER_WINDOW } from './words.ts';

/**
 * The header of the file that `npm run train` writes: a mark, the length of the JSON header, the header, the weights,
 * and the SHA-256 of all that. The file holds numbers only: no word can be read from it except by trying.
 */
export interface Header {
  readonly features: typeof FEATURES;
  /** The checksum of the concepts with which the weights were learned. */
  readonly lexicon: string;
  /** Words of a step; a window has STEPS_PER_WINDOW of them. */
  readonly step: number;
  readonly bias: number;
  /** What one step of an 8-bit weight adds to a score. */
  readonly unit: number;
  /** Where the head starts, which tells jailbreak from prompt injection. */
  readonly headBias: number;
  /**
   * Rising points: a score (how far a text lies beyond the boundary) and the confidence that it is worth. Below the
   * first, it is worth nothing.
   */
  readonly calibration: readonly (readonly [score: number, confidence: number])[];
  /** How much higher the score of a single step must be; null where only whole windows count. */
  readonly stepDearer: number | null;
  /** How much less is enough in other languages than English (tongue.ts). */
  readonly abroadCheaper: number;
  /** How the model was trained and how well it does; read by people. */
  readonly report: Readonly<Record<string, unknown>>;
}

export interface Weights {
  readonly header: Header;
  /** For each slot: in the high byte whose weight it is, in the low byte the weight. */
  readonly slots: Uint16Array;
  readonly head: Int8Array;
}

/** A model with other features would score nonsense with this scorer: features are compared and never converted. */
export const FEATURES = {
  version: 3,
  seed: addToHash(0, 0) >>> 0,
  stem: STEM_LETTERS,
  steps: STEPS_PER_WINDOW,
  silent: SILENT_WORDS,
  said: REPEAT_DISTANCE,
} as const;

export const SLOT_COUNT = 65_536;
export const HEAD_SIZE = 8192;
const FILE_MARK = Buffer.from('GLIKENS1');
const CHECKSUM_BYTES = 32;
/** A slice of a text (windows.ts) has to hold many windows, and to overlap the next slice by more than one. */
const MOST_STEP = 64;
const MOST_HEADER_BYTES = 64 * 1024;

export function writeWeights({ header, slots, head }: Weights): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const table = Buffer.alloc(SLOT_COUNT * 2);
  for (const [i, slot] of slots.entries()) table.writeUInt16LE(slot, 2 * i);
  const all = Buffer.concat([FILE_MARK, length, json, table, Buffer.from(head.buffer, head.byteOffset, head.length)]);
  return Buffer.concat([all, createHash('sha256').update(all).digest()]);
}

/** The weights, or what is wrong with the file, in words for whoever has to mend it. */
export function readWeights(file: Buffer): Weights | string {
  const end = file.length - CHECKSUM_BYTES;
  const lead = FILE_MARK.length + 4;
  if (end < lead || !file.subarray(0, FILE_MARK.length).equals(FILE_MARK)) return 'is not a file of weights';
  const checksum = createHash('sha256').update(file.subarray(0, end)).digest();
  if (!checksum.equals(file.subarray(end))) return 'does not match its checksum: it was cut or changed';
  const length = file.readUInt32LE(FILE_MARK.length);
  if (length > MOST_HEADER_BYTES || end !== lead + length + SLOT_COUNT * 2 + HEAD_SIZE)
    return 'has not the size it should have';
  const header = headerOf(file.toString('utf8', lead, lead + length));
  if (typeof header === 'string') return header;
  // As a whole and not slot by slot: that takes ten times as long, in code that runs once.
  const slots = new Uint16Array(SLOT_COUNT);
  const table = Buffer.from(slots.buffer);
  file.copy(table, 0, lead + length, end - HEAD_SIZE);
  if (endianness() === 'BE') table.swap16();
  return { header, slots, head: new Int8Array(file.subarray(end - HEAD_SIZE, end)) };
}

function headerOf(json: string): Header | string {
  let header: Partial<Header>;
  try {
    header = JSON.parse(json) as Partial<Header>;
  } catch {
    return 'has a header that is not JSON';
  }
  if (JSON.stringify(header.features) !== JSON.stringify(FEATURES))
    return 'was trained for other features: train again';
  if (header.lexicon !== lexiconChecksum()) return 'was trained with other concepts: train again';
  const { step, bias, unit, headBias, calibration, stepDearer, abroadCheaper } = header;
  if (!Number.isInteger(step) || step! < 1 || step! > MOST_STEP) return 'has steps of no words';
  if (stepDearer !== null && step! % STEPS_PER_WINDOW !== 0) return 'judges single steps that have no quarters';
  if (stepDearer !== null && !Number.isFinite(stepDearer)) return 'has a header without its numbers';
  if (
    ![bias, unit, headBias, abroadCheaper].every(Number.isFinite) ||
    !Array.isArray(calibration) ||
    calibration.length < 2
  )
    return 'has a header without its numbers';
  const rises = calibration.every(
    ([score, confidence], i) => i === 0 || (score > calibration[i - 1]![0] && confidence >= calibration[i - 1]![1]),
  );
  const fair = calibration.every(([score, confidence]) => Number.isFinite(score) && confidence >= 0 && confidence < 1);
  return rises && fair ? (header as Header) : 'has a calibration that does not rise from 0 towards 1';
}
