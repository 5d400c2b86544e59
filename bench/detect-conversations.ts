/**
 * False positives in long conversations. A text that passes alone may be one of 200 in a body, and what is rare in
 * each text is not rare in all of them together.
 */
import type { Corpus } from '../src/commands/eval-corpora.ts';
import type { Passage } from '../src/domain/passage.ts';
import type { Policy } from '../src/domain/policy.ts';
import { blockingAsShipped } from './as-shipped.ts';
import { randomNumbers } from '../train/random.ts';
import { ordinaryTexts } from './detect-ordinary.ts';

export interface Conversations {
  readonly messages: number;
  readonly conversations: number;
  readonly blocked: number;
}

const LENGTHS = [1, 10, 40, 200];
/** Messages in total per conversation length, so that all shares are based on the same amount of text. */
const MESSAGES = 20_000;
const SEED = 7;

/**
 * Random ordinary texts, alternately from user and assistant. Real conversations stay on one topic and contain fewer
 * kinds of text.
 */
export async function conversations(corpora: readonly Corpus[], policy: Policy): Promise<Conversations[]> {
  const texts = await ordinaryTexts(corpora);
  if (texts.length === 0) return [];
  const isBlocked = blockingAsShipped(policy);
  return LENGTHS.map((messages) => {
    const next = randomNumbers(SEED);
    const count = Math.ceil(MESSAGES / messages);
    let blocked = 0;
    for (let i = 0; i < count; i += 1) {
      const said = Array.from({ length: messages }, (_, at): Passage => {
        // Roles alternate for single messages, too: likeness does not judge what the assistant wrote.
        const text = texts[Math.floor(next() * texts.length)]!;
        return { text, role: (i + at) % 2 === 0 ? 'user' : 'assistant', where: `messages[${at}].content`, message: at };
      });
      if (isBlocked(said)) blocked += 1;
    }
    return { messages, conversations: count, blocked };
  });
}
