import { rowsOf, type Corpus } from '../src/commands/eval-corpora.ts';

/** Corpora of benign text that people do not write to a model. */
const NOT_ORDINARY = /^bn_(?:security_prose|agents|files|pages)/;

/** The benign texts that people write to models, from all corpora, in their order. */
export async function ordinaryTexts(corpora: readonly Corpus[]): Promise<string[]> {
  const texts: string[] = [];
  for (const { name, file } of corpora) {
    if (!name.startsWith('bn_') || NOT_ORDINARY.test(name)) continue;
    for await (const read of rowsOf(file)) if (read.kind === 'row') texts.push(read.row.text);
  }
  return texts;
}
