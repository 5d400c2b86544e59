import { rowsOf, type Corpus } from '../src/commands/eval-corpora.ts';

/** Honest text that is not what people write to a model. */
const APART = /^bn_(?:security_prose|agents|files|pages)/;

/** What people write to models, of all corpora, in their order. */
export async function ordinaryTexts(corpora: readonly Corpus[]): Promise<string[]> {
  const texts: string[] = [];
  for (const { name, file } of corpora) {
    if (!name.startsWith('bn_') || APART.test(name)) continue;
    for await (const read of rowsOf(file)) if (read.kind === 'row') texts.push(read.row.text);
  }
  return texts;
}
