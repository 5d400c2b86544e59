import { ASIA } from './honest-asia.ts';
import { BOTS } from './honest-bots.ts';
import { EAST } from './honest-east.ts';
import { FEWER } from './honest-fewer.ts';
import { SOUTH } from './honest-south.ts';
import { WEST } from './honest-west.ts';

/** One language as honest people write it to an assistant. A slot is filled from its own language, so that texts stay in one. */
export interface Speech {
  readonly language: string;
  readonly slots: Readonly<Record<string, string>>;
  readonly phrases: readonly string[];
}

/**
 * The corpora are English, and what they hold of other languages are attacks, so the everyday words of Vietnamese or Polish
 * were learnt as signs of attack. A third of the phrases use the words of attacks as honest people do: a password forgotten,
 * the rules of a game, an earlier message to ignore because it had the wrong file.
 */
export const LANGUAGES: readonly Speech[] = [...WEST, ...EAST, ...SOUTH, ...ASIA, ...FEWER, ...BOTS];
