/**
 * False alarms of long conversations. A text that is spared by itself may be one of two hundred in a body, and what is rare in
 * each of them is not rare in all of them together.
 */
import { rowsOf, type Corpus } from '../src/commands/eval-corpora.ts';
import { scan } from '../src/detect/scan.ts';
import type { Passage } from '../src/domain/passage.ts';
import { decide, type Policy } from '../src/domain/policy.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import { likenessAsShipped, rulesetOf } from './as-shipped.ts';
import { seeded } from './corpus.ts';

export interface Conversations {
  readonly messages: number;
  readonly conversations: number;
  readonly blocked: number;
}

const LENGTHS = [1, 10, 40, 200];
/** So many messages of each length: the share of one text is as sure as that of two hundred. */
const MESSAGES = 20_000;
const SEED = 7;
/** Honest text that is not what people write to a model. */
const APART = /^bn_(?:security_prose|agents|files|pages)/;

/** Ordinary texts in any order, user and assistant in turn. Real conversations stay with their matter and hold fewer kinds of text. */
export async function conversations(corpora: readonly Corpus[], policy: Policy): Promise<Conversations[]> {
  const texts: string[] = [];
  for (const { name, file } of corpora) {
    if (!name.startsWith('bn_') || APART.test(name)) continue;
    for await (const read of rowsOf(file)) if (read.kind === 'row') texts.push(read.row.text);
  }
  if (texts.length === 0) return [];
  const ruleset = rulesetOf(loadSignatures().signatures, DECODERS);
  const likeness = likenessAsShipped();
  const scene = { direction: 'request', upstream: null, path: '', client: null, now: 0 } as const;
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
      const scanned = scan(ruleset, said, { sensitive: false, likeness });
      if (scanned.kind !== 'findings' || decide(policy, scanned.findings, scene).action === 'block') blocked += 1;
    }
    return { messages, conversations: count, blocked };
  });
}
