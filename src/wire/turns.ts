/**
 * The positions of a conversation's turns in a body: the elements of an array of the document that are messages. With
 * these positions, known turns can be left out, and the rest can be read as if the body had been sent without them.
 */
import type { PassageCollector } from './passages.ts';

export interface Turns {
  /** The text of the document. */
  text: string;
  /** Whether it is well-formed JSON. If not, some parser may read text between the turns. */
  isWellFormed: boolean;
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
  /** The message numbers of the turn: greater than `messagesBefore`, up to and including `lastMessage`. */
  readonly messagesBefore: number;
  readonly lastMessage: number;
  /** None of its strings were joined with strings from elsewhere in the body. */
  readonly isSeparate: boolean;
}

export function noTurns(): Turns {
  return { text: '', isWellFormed: false, passages: 0, list: [] };
}

/** The depth of a turn: the document is at depth 1, an array in it at 2, and an element of that at 3. */
export const TURN_DEPTH = 3;

/** Adds a turn to the list whenever a reader has read one. Offsets are those of the opening or closing character. */
export interface TurnRecorder {
  openArray(at: number): void;
  openTurn(at: number): void;
  closeTurn(at: number, index: number): void;
}

export function recordTurns({ list }: Turns, into: PassageCollector): TurnRecorder {
  let array = 0;
  let from = 0;
  let messagesBefore = 0;
  let joinedBefore = 0;
  return {
    openArray(at) {
      array = at;
    },
    openTurn(at) {
      from = at;
      messagesBefore = into.messageCount();
      joinedBefore = into.joinedStrings();
    },
    closeTurn(at, index) {
      const isSeparate = into.joinedStrings() === joinedBefore;
      list.push({ from, to: at + 1, array, index, messagesBefore, lastMessage: into.messageCount(), isSeparate });
    },
  };
}
