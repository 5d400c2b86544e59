/**
 * The positions of a conversation's turns in a body: the elements of an array of the document that are messages. With
 * these positions, known turns can be left out, and the rest can be read as if the body had been sent without them.
 */
export interface Turns {
  /** The text of the document. */
  text: string;
  /** Whether it is well-formed JSON. If not, some parser may read text between the turns. */
  sound: boolean;
  /** The number of passages of the whole body, inside and outside of the turns. */
  passages: number;
  readonly list: Turn[];
}

export interface Turn {
  /** Character offsets of its opening brace and after its closing one. */
  readonly from: number;
  readonly to: number;
  /** The offset of its array, and its index in the array. */
  readonly array: number;
  readonly index: number;
  /** The message numbers of the turn: greater than `before`, up to and including `last`. */
  readonly before: number;
  readonly last: number;
  /** None of its strings were joined with strings from elsewhere in the body. */
  readonly alone: boolean;
}

export function noTurns(): Turns {
  return { text: '', sound: false, passages: 0, list: [] };
}
