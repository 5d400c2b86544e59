import { unescape } from '../../src/text/escapes.ts';
import { readLiterals, type Documents } from '../../src/text/strings.ts';

export interface Literals {
  /** In the order of the text; keys and values alike. */
  readonly strings: readonly string[];
  readonly sound: boolean;
  /** What else a lenient parser could make of it: the whole text with its escapes undone, only when the structure is not sound. */
  readonly whole: string | null;
}

const ignore = (): void => {};

/** The plain form: all strings at once, where the structure of a document means nothing. */
export function everyString(text: string, documents: Documents = 'one'): Literals {
  const strings: string[] = [];
  const take = (string: string): boolean => {
    strings.push(string);
    return true;
  };
  const sound = readLiterals(
    text,
    { levels: 0, open: ignore, close: ignore, key: take, value: take, scalars: ignore, number: null },
    documents,
  );
  return { strings, sound, whole: sound ? null : unescape(text) };
}
