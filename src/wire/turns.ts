/**
 * Where the turns of a conversation stand in a body: the elements of an array of the document, each of them a message. For
 * who wants to leave some of them out, and read what is left as if the body had been sent so.
 */
export interface Turns {
  /** The document. */
  text: string;
  /** Whether everybody reads it as one: otherwise what stands between the turns may be somebody's text. */
  sound: boolean;
  /** How many passages were made of it, in its turns and elsewhere. */
  passages: number;
  readonly list: Turn[];
}

export interface Turn {
  /** In characters, from its opening brace to behind the closing one. */
  readonly from: number;
  readonly to: number;
  /** Where its array begins, and its place in there. */
  readonly array: number;
  readonly index: number;
  /** Messages are numbered as they are read: those of the turn come behind `before`, up to `last`. */
  readonly before: number;
  readonly last: number;
  /** Nothing of it was put together with what stands elsewhere in the body. */
  readonly alone: boolean;
}

export function noTurns(): Turns {
  return { text: '', sound: false, passages: 0, list: [] };
}
