import { mayEndMessages, textOfMessage } from './event-message.ts';
import type { Finding } from './finding.ts';
import type { Failure } from './failure.ts';
import type { Forbidden } from './job.ts';

/**
 * A stream is scanned in steps, and each step may run on any thread. The state that a step needs from earlier ones is
 * passed along as plain data. If a thread kept it, the stream would be tied to that thread and would be lost when the
 * thread dies.
 */

/**
 * How the pieces of a channel are put together.
 * - `text`: text at a place that the grammar knows, or a long string at any other.
 * - `small-strings`: short strings at places that it does not know, one per line.
 * - `guess`: any string of a frame without known text, since each may be the one that goes on from frame to frame.
 * - `lines` and `joined-lines`: data that is not JSON, read as separate lines and also as one text.
 */
export type ChannelKind = 'text' | 'small-strings' | 'guess' | 'lines' | 'joined-lines';

/**
 * Whether frames wait until the last word of a channel of this kind is complete. Those of a guess do not: the same
 * word, a type or a status say, may come with every frame, and such a text would never end. `joined-lines` is a second
 * reading of what `lines` already waits for.
 */
export function holdsFrames(kind: ChannelKind): boolean {
  return kind !== 'guess' && kind !== 'joined-lines';
}

/** One text that grows over the stream: a choice, a content block, or the arguments of one tool call. */
export interface Channel {
  readonly name: string;
  /** Which of several answers to the request it is part of. */
  readonly answer: number;
  readonly kind: ChannelKind;
  readonly role: Finding['role'];
  readonly where: string;
  /** The most recent text. Its beginning is dropped once no match can reach back to it. */
  readonly text: string;
  /** How many characters were dropped before `text`. */
  readonly droppedChars: number;
  /** How far the channel has been judged, as a character offset from its beginning. */
  readonly judgedTo: number;
  /** How far the channel was last judged together with all of its remembered text, as such an offset. */
  readonly surveyedTo: number;
  /** The number of the last frame that added text. */
  readonly lastFrame: number;
  /**
   * Set while the stream is inside a multi-line key block whose beginning was masked: every line up to its last is
   * masked too. Kept only when values are masked.
   */
  readonly maskedKeyBlock: MaskedKey | null;
}

export interface MaskedKey {
  readonly finding: Finding;
  /** The last characters of the key before they were masked, since its last line may have begun in them. */
  readonly tail: string;
}

/** Where a piece of a channel is in its frame, so that it can be replaced there. */
export interface PlacedPiece {
  readonly frame: number;
  readonly channel: string;
  readonly kind: ChannelKind;
  /** The offset of its first character from the beginning of the channel. */
  readonly from: number;
  readonly text: string;
  /** Null when the piece is not one string literal in the frame. */
  readonly literal: { readonly byte: number; readonly raw: string } | null;
}

/** The state that is carried from one step of a stream to the next. */
export interface StreamState {
  readonly channels: readonly Channel[];
  readonly frames: number;
  /** Characters of model output so far, over all channels. */
  readonly chars: number;
  /** Frames with text that has not been judged completely: in which channel, and up to which offset. */
  readonly openFrames: readonly { readonly frame: number; readonly channel: string; readonly end: number }[];
  /**
   * Findings that were already reported. Each is reported once, though its text is scanned again together with what
   * follows.
   */
  readonly reported: readonly string[];
  /** Kept only when values are masked. */
  readonly placedPieces: readonly PlacedPiece[];
  /** Whether a frame told its tokens once more, as log probabilities do. Looked for only when values are masked. */
  readonly tellsTokens: boolean;
}

/** The state before the first step. */
export const FRESH_STREAM: StreamState = {
  channels: [],
  frames: 0,
  chars: 0,
  openFrames: [],
  reported: [],
  placedPieces: [],
  tellsTokens: false,
};

export interface StreamJob {
  readonly path: string;
  readonly kind: 'sse' | 'ndjson' | 'eventstream';
  /** Whole frames, one after the other. `ends` holds the byte offset at which each ends. */
  readonly bytes: Uint8Array;
  readonly ends: readonly number[];
  /** Whether the stream ends here, so that nothing can still change the meaning of the last words. */
  readonly last: boolean;
  readonly state: StreamState;
  /** The first frame that can still be changed, where values are masked; otherwise null. */
  readonly maskFrom: number | null;
  /** Whose matches are replaced. Others would block nothing, and what covers a value must not hide it from the reader. */
  readonly maskedSignatures: readonly string[];
  readonly forbidden: Forbidden | null;
}

/** Replaces the bytes from `start` to `end` of a frame, as it arrived, with `text`. */
export interface Patch {
  readonly frame: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type StreamOutcome =
  | {
      readonly kind: 'step';
      /** Still there once the patches are applied. */
      readonly findings: readonly Finding[];
      readonly patches: readonly Patch[];
      readonly state: StreamState;
      /** All frames before this one may be sent: nothing in them can still become part of a match. */
      readonly clearedUntil: number;
    }
  | Failure;

/** Ends one of several answers. Some servers name a reason of `""` or `"null"` in every event. */
const ANSWER_END = /"finish_?[rR]eason": ?"(?!"|null")/;
const STREAM_END =
  /data: ?\[DONE\]|"type": ?"message(?:_stop|_delta|-end)"|\.(?:completed?|incomplete|failed|response\.done)"|"(?:done|stop|is_finished)": ?true/;
/**
 * What makes a client stop reading, in any provider's format. A frame that holds it must not be sent before the
 * verdict on everything before it. Inside a JSON string the quotes are escaped, so a model that writes about these
 * markers does not match.
 */
const END_MARKER = new RegExp(`${ANSWER_END.source}|${STREAM_END.source}`);

/** Whether a frame contains a marker at which clients stop reading. */
export function hasEndMarker(frame: Buffer, kind: StreamJob['kind']): boolean {
  if (kind === 'eventstream') return messageHasEndMarker(frame, textOfMessage(frame));
  // One regex over one string. Searching the bytes for each marker in turn was the most expensive part of an event
  // that only passes.
  return textHasEndMarker(frame.toString('latin1'));
}

/** The same for the text of a frame, decoded from any charset that contains ASCII. */
export function textHasEndMarker(text: string): boolean {
  return END_MARKER.test(text);
}

/** Whether a frame with an end marker ends one answer, and others may go on. */
export function endsOneAnswer(text: string): boolean {
  return !STREAM_END.test(text);
}

/** The same for a message of a binary event stream. */
export function messageHasEndMarker(message: Buffer, text: string): boolean {
  return textHasEndMarker(text) || mayEndMessages(message, text);
}

/**
 * The frame with its patches applied. Where two overlap, the bytes that either covers are removed, and the first
 * one's text is used.
 */
export function applyPatches(frame: Buffer, patches: readonly Patch[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, text } of [...patches].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue;
    if (start >= at) parts.push(frame.subarray(at, start), Buffer.from(text));
    at = end;
  }
  parts.push(frame.subarray(at));
  return Buffer.concat(parts);
}
