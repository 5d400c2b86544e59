/**
 * False alarms of long conversations. A text that is spared by itself may be one of two hundred in a body, and what is rare in
 * each of them is not rare in all of them together.
 */
import type { Corpus } from '../src/commands/eval-corpora.ts';
import type { Passage } from '../src/domain/passage.ts';
import type { Policy } from '../src/domain/policy.ts';
import { blockingAsShipped } from './as-shipped.ts';
import { seeded } from './corpus.ts';
import { ordinaryTexts } from './detect-ordinary.ts';

export interface Conversations {
  readonly messages: number;
  readonly conversations: number;
  readonly blocked: number;
}

const LENGTHS = [1, 10, 40, 200];
/** So many messages of each length: the share of one text is as sure as that of two hundred. */
const MESSAGES = 20_000;
const SEED = 7;

/** Ordinary texts in any order, user and assistant in turn. Real conversations stay with their matter and hold fewer kinds of text. */
export async function conversations(corpora: readonly Corpus[], policy: Policy): Promise<Conversations[]> {
  const texts = await ordinaryTexts(corpora);
  if (texts.length === 0) return [];
  const isBlocked = blockingAsShipped(policy);
  return LENGTHS.map((messages) => {
    const next = seeded(SEED);
    const count = Math.ceil(MESSAGES / messages);
    let blocked = 0;
    for (let i = 0; i < count; i += 1) {
      const said = Array.from({ length: messages }, (_, at): Passage => {
        // By turns in single messages, too: likeness spares what the assistant said.
        const text = texts[Math.floor(next() * texts.length)]!;
        return { text, role: (i + at) % 2 === 0 ? 'user' : 'assistant', where: `messages[${at}].content`, message: at };
      });
      if (isBlocked(said)) blocked += 1;
    }
    return { messages, conversations: count, blocked };
  });
}
