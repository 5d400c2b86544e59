/** The places of the sentences and lines of a text. */
export function sentencesIn(text: string): (readonly [from: number, to: number])[] {
  return [...text.matchAll(SENTENCE)].map(({ index, 0: sentence }) => [index, index + sentence.length] as const);
}

/** A full stop ends a sentence only before a blank, since versions and files have one inside. */
const SENTENCE = /(?:[^.!?。！？\n]|[.!?](?=[^\s]))+/g;
