/**
 * Attacks between benign paragraphs. Corpora contain attacks alone, but real ones are embedded in a letter, a page or
 * a question, so that most of the words are benign.
 */
import { rowsOf, type Corpus } from '../src/commands/eval-corpora.ts';
import type { Policy } from '../src/domain/policy.ts';
import { blockingAsShipped } from './as-shipped.ts';
import { seeded, type Random } from './corpus.ts';
import { ordinaryTexts } from './detect-ordinary.ts';

/** The number of texts of one kind, how many of them are blocked alone, and how many between two ordinary texts. */
export interface Surrounded {
  readonly name: string;
  readonly texts: number;
  readonly alone: number;
  readonly between: number;
}

/** The length of the surrounding texts in characters: about 20 to 80 words in one line. */
const LEAST_AROUND = 120;
const MOST_AROUND = 400;
/** Longer attacks would make up most of the text, whatever surrounds them. */
const MOST_CHARS = 400;
const MOST_OF_A_CORPUS = 300;
const SEED = 11;
const ORDINARY = 'ordinary texts';

export async function surrounded(corpora: readonly Corpus[], policy: Policy): Promise<Surrounded[]> {
  const ordinary = (await ordinaryTexts(corpora)).filter(
    (text) => text.length >= LEAST_AROUND && text.length <= MOST_AROUND && !text.includes('\n'),
  );
  if (ordinary.length === 0) return [];
  const isBlocked = blockingAsShipped(policy);
  const blockedOf = (texts: readonly string[]): number =>
    texts.filter((text) => isBlocked([{ text, role: 'user', where: 'messages[0].content', message: 0 }])).length;
  const judged = (name: string, texts: readonly string[]): Surrounded => {
    const next = seeded(SEED);
    const around = texts.map((text) => `${oneOf(ordinary, next)} ${text} ${oneOf(ordinary, next)}`);
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
    if (attacks.length > 0) found.push(judged(name, evenly(attacks, MOST_OF_A_CORPUS)));
  }
  return found.length === 0 ? [] : [...found, judged(ORDINARY, ordinary)];
}

function oneOf(texts: readonly string[], next: Random): string {
  return texts[Math.floor(next() * texts.length)]!;
}

function evenly(texts: readonly string[], most: number): readonly string[] {
  const every = Math.max(1, texts.length / most);
  return Array.from({ length: Math.min(most, texts.length) }, (_, i) => texts[Math.floor(i * every)]!);
}
