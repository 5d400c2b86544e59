import type { Finding } from './finding.ts';
import type { Failure } from './failure.ts';
import type { Forbidden } from './job.ts';

/**
 * A stream is scanned in steps, each on any thread. What a step must know of the ones before travels with it, as plain data:
 * a thread that kept it would tie the stream to itself, and take it along when it dies.
 */

/** One accumulating text: a choice, a content block, the arguments of one tool call. */
export interface Channel {
  readonly name: string;
  readonly role: Finding['role'];
  readonly where: string;
  /** The end of what was said so far; its beginning is forgotten once nothing can reach back to it. */
  readonly text: string;
  /** Characters said before `text` begins. */
  readonly before: number;
  /** How far the channel was judged, counted from its beginning. */
  readonly settled: number;
  /** How far it was judged together with all that is remembered of it. */
  readonly surveyed: number;
  /** The frame that spoke last. */
  readonly spoke: number;
  /** Inside of a key whose beginning was replaced: all of it goes, up to its last line. Kept only where values are masked. */
  readonly veil: Finding | null;
}

/** Where a piece of a channel stands in its frame, so that it can be replaced there. */
export interface Placed {
  readonly frame: number;
  readonly channel: string;
  /** Its first character, counted from the beginning of the channel. */
  readonly from: number;
  readonly text: string;
  /** Null when it does not stand in the frame as one literal. */
  readonly literal: { readonly byte: number; readonly raw: string } | null;
}

export interface StreamState {
  readonly channels: readonly Channel[];
  readonly frames: number;
  /** Characters of model text so far, over all channels. */
  readonly chars: number;
  /** Frames that brought text which is not judged to its end: which channel, up to where. */
  readonly open: readonly { readonly frame: number; readonly channel: string; readonly end: number }[];
  /** Findings told before: a finding is told once, though its text is read again with what follows. */
  readonly told: readonly string[];
  /** Kept only where values are masked. */
  readonly placed: readonly Placed[];
}

export const FRESH: StreamState = { channels: [], frames: 0, chars: 0, open: [], told: [], placed: [] };

export interface StreamJob {
  readonly path: string;
  readonly kind: 'sse' | 'ndjson';
  /** Whole frames, one after the other, and where each ends. */
  readonly bytes: Uint8Array;
  readonly ends: readonly number[];
  /** Nothing follows that could change what the last words mean. */
  readonly last: boolean;
  readonly state: StreamState;
  /** Whether values are to be replaced, and the first frame in which that is still possible. */
  readonly mask: { readonly from: number } | null;
  readonly forbidden: Forbidden | null;
}

/** These bytes of that frame, as it came, make way for the text. */
export interface Patch {
  readonly frame: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Whose match it hides. */
  readonly signature: string;
}

export type StreamOutcome =
  | {
      readonly kind: 'step';
      readonly findings: readonly Finding[];
      /** Findings of which nothing is left once the patches of their signature are applied. */
      readonly maskable: readonly Finding[];
      readonly patches: readonly Patch[];
      readonly state: StreamState;
      /** All frames before this one may go: nothing in them can still become part of a match. */
      readonly cleared: number;
    }
  | Failure;

/**
 * What ends a client's reading, in any wire: it must not go out before the verdict on all that came before. Inside a string of
 * JSON the quotes are escaped, so that a model that speaks of these words does not say them.
 */
const ENDINGS =
  /data: ?\[DONE\]|"finish_reason": ?"|"type": ?"message_(?:stop|delta)"|\.(?:completed|incomplete|failed)"|"done": ?true/;

export function endsReading(frame: Buffer): boolean {
  // One pass over one string: asked of the bytes, mark by mark, this was the dearest part of an event that merely passes.
  return saysEnd(frame.toString('latin1'));
}

/** The same of its text, in any charset that holds ASCII. */
export function saysEnd(text: string): boolean {
  return ENDINGS.test(text);
}

/** The frame with its patches applied. Where two overlap, what either covers is gone, and the first says so. */
export function patched(frame: Buffer, patches: readonly Patch[]): Buffer {
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
