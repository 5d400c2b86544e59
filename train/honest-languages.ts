import { ASIA } from './honest-asia.ts';
import { BOTS } from './honest-bots.ts';
import { EAST } from './honest-east.ts';
import { FEWER } from './honest-fewer.ts';
import { SOUTH } from './honest-south.ts';
import { WEST } from './honest-west.ts';
import type { LanguagePhrases } from './language-phrases.ts';

/**
 * Benign text in many languages. The corpora are English, and most of their text in other languages is attacks, so
 * ordinary words of Vietnamese or Polish were learned as signs of attacks. A third of the phrases use the words of
 * attacks in benign ways: a forgotten password, the rules of a game, an earlier message to ignore because it had the
 * wrong file.
 */
export const HONEST_LANGUAGES: readonly LanguagePhrases[] = [...WEST, ...EAST, ...SOUTH, ...ASIA, ...FEWER, ...BOTS];
