/**
 * Attacks between benign paragraphs. Corpora contain attacks alone, but real ones are embedded in a letter, a page or
 * a question, so that most of the words are benign.
 */
import { rowsOf, type Corpus } from '../src/commands/eval-corpora.ts';
import type { Policy } from '../src/domain/policy.ts';
import { blockingAsShipped } from './as-shipped.ts';
import { type Random } from './corpus.ts';
import { randomNumbers } from '../train/random.ts';
import { ordinaryTexts } from './detect-ordinary.ts';

/** The number of texts of one kind, how many of them are blocked alone, and how many between two ordinary texts. */
export interface Surrounded {
  readonly name: string;
  readonly texts: number;
  readonly alone: number;
  readonly between: number;
}

/** The length of the surrounding texts in characters: about 20 to 80 words in one line. */
const MIN_SURROUNDING_CHARS = 120;
const MAX_SURROUNDING_CHARS = 400;
/** Longer attacks would make up most of the text, whatever surrounds them. */
const MOST_CHARS = 400;
const MOST_OF_A_CORPUS = 300;
const SEED = 11;
const ORDINARY = 'ordinary texts';

export async function surrounded(corpora: readonly Corpus[], policy: Policy): Promise<Surrounded[]> {
  const ordinary = (await ordinaryTexts(corpora)).filter(
    (text) => text.length >= MIN_SURROUNDING_CHARS && text.length <= MAX_SURROUNDING_CHARS && !text.includes('\n'),
  );
  if (ordinary.length === 0) return [];
  const isBlocked = blockingAsShipped(policy);
  const blockedOf = (texts: readonly string[]): number =>
    texts.filter((text) => isBlocked([{ text, role: 'user', where: 'messages[0].content', message: 0 }])).length;
  const measure = (name: string, texts: readonly string[]): Surrounded => {
    const next = randomNumbers(SEED);
    const around = texts.map((text) => `${pickOne(ordinary, next)} ${text} ${pickOne(ordinary, next)}`);
    return { name, texts: texts.length, alone: blockedOf(texts), between: blockedOf(around) };
  };
  const found: Surrounded[] = [];
  for (const { name, file } of corpora) {
    // For corpora of hidden text, or of attacks by their position in a document, surrounding text makes no
    // difference.
    if (!/^(?:pi|jb)_/.test(name)) continue;
    const attacks: string[] = [];
    for await (const read of rowsOf(file))
      if (read.kind === 'row' && read.row.label !== 'benign' && read.row.text.length <= MOST_CHARS)
        attacks.push(read.row.text);
    if (attacks.length > 0) found.push(measure(name, evenSample(attacks, MOST_OF_A_CORPUS)));
  }
  return found.length === 0 ? [] : [...found, measure(ORDINARY, ordinary)];
}

function pickOne(texts: readonly string[], next: Random): string {
  return texts[Math.floor(next() * texts.length)]!;
}

function evenSample(texts: readonly string[], most: number): readonly string[] {
  const every = Math.max(1, texts.length / most);
  return Array.from({ length: Math.min(most, texts.length) }, (_, i) => texts[Math.floor(i * every)]!);
}
