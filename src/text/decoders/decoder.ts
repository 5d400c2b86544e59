import type { Seen } from '../seen.ts';

/** What every decoder is: a row of the table in index.ts. One encoding, how to see it, how to undo it, what to leave alone. */

/** Shared by everything that is unfolded from one body; when it is spent the body is refused, never read in part. */
export interface Budget {
  /** Characters that may still be produced, and searched for more. */
  chars: number;
  /** Decoded readings that may still be produced. */
  segments: number;
}

/** A piece of readable text that was hidden in `[start, end)` of the text it came from. */
export interface Decoded {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Decoder {
  readonly name: string;
  /**
   * RE2 source, case-sensitive, without counted gaps: text in which it does not match is never given to `decode`.
   * Shapes that are words ride in a set, where they rarely match and cost next to nothing.
   */
  readonly shape: string;
  /**
   * Decides instead of the shape, from what one quick pass has seen. Shapes that match often have it: a set keeps a
   * state for each combination of what has matched so far, so thirty of them together crawl (2 to 10 MB/s on source
   * code, measured) where each alone runs at 600 MB/s. It never says no to what `decode` could read.
   */
  readonly hint?: (seen: Seen, text: string) => boolean;
  /**
   * Pure, linear in the text, and what it returns is together at most half as long again as the text (where words get
   * their spaces back; what was packed has a little room of its own): that is what lets the one caller keep the books,
   * instead of forty decoders that each could forget to. Returns only what reads as text.
   */
  readonly decode: (text: string) => readonly Decoded[];
  /**
   * It stands for single characters or for nothing, in the middle of other text. Such pieces say nothing by themselves,
   * and have a reading in place of their own, since they may also break up a longer encoding.
   */
  readonly inline?: boolean;
  /**
   * It puts together what stands in many places, and says nothing in any of them: a heap of words, in which those of honest text
   * come to stand beside each other as well.
   */
  readonly heaps?: boolean;
  /** What it turns around, it would only turn back: not asked again about its own result. */
  readonly once?: boolean;
  /** 0..1: how surely text hidden this way is an evasion whatever it says. 0 for encodings that honest people use. */
  readonly suspicion: number;
  readonly examples: {
    /** What the encoded text reads with every piece in its place, or one piece by itself, holds the plain one. */
    readonly reads: readonly (readonly [encoded: string, plain: string])[];
    /** Honest text of the same look: nothing is decoded, or nothing that an attack would need. */
    readonly leaves: readonly string[];
  };
}
