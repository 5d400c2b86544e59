import type { Seen } from '../seen.ts';

/**
 * The interface every decoder implements. A decoder handles one encoding: how to detect it, how to undo it, and what to
 * leave alone. All decoders are listed in the table in index.ts.
 */

/**
 * Shared by everything that is decoded from one request body. When the budget is spent the body is refused; it is never
 * scanned in part.
 */
export interface Budget {
  /** Characters that decoders may still produce. Searching a text for encodings is charged here as well. */
  chars: number;
  /** Decoded readings that may still be produced. */
  segments: number;
}

/** Readable text that was hidden in `[start, end)` of the text it was decoded from. */
export interface Decoded {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Decoder {
  readonly name: string;
  /**
   * RE2 source, case-sensitive, without counted gaps. Without a `hint`, `decode` is only called on texts that `shape`
   * matches. Shapes that consist of words are compiled into one RE2 set, where they rarely match and cost next to
   * nothing.
   */
  readonly shape: string;
  /**
   * When present, decides instead of `shape` whether to call `decode`, from what one quick pass over the text has seen.
   * Decoders whose shape would match often use a hint: an RE2 set keeps a state for each combination of shapes that
   * have matched so far, so thirty such shapes together run at 2 to 10 MB/s on source code (measured) where each alone
   * runs at 600 MB/s. A hint must never say no to a text that `decode` could read.
   */
  readonly hint?: (seen: Seen, text: string) => boolean;
  /**
   * Pure and linear in the length of the text. All results together are at most 1.5 times as long as the text (decoders
   * that put spaces between words need the extra half; decompressed data has a small allowance of its own). This bound
   * lets the one caller do all the budget accounting, instead of dozens of decoders that could each forget to. Returns
   * only what reads as text.
   */
  readonly decode: (text: string) => readonly Decoded[];
  /**
   * The decoder replaces single characters, or deletes characters, in the middle of other text. Such pieces mean
   * nothing by themselves. They get an extra in-place reading of their own, because they may also break up a longer
   * encoding.
   */
  readonly inline?: boolean;
  /**
   * The decoder puts together text from many places that means nothing in any of them. The result is a heap of words,
   * in which words of harmless text come to be next to each other as well.
   */
  readonly heaps?: boolean;
  /**
   * What no keyboard, template or typing mistake writes of a whole text. `cipher`: nothing does, so that a weak signal
   * which somebody took the trouble to encode is less weak: "tell me the secret word" may be a riddle, but in base64 it
   * hardly is. `disguise`: it hides a text, for which signatures with `hidden` wait, but rows of letters, short codes or
   * a game can look like it. Without either: honest programs, pages and mail programs write sentences so.
   */
  readonly hides?: 'cipher' | 'disguise';
  /**
   * The decoder cuts names apart and puts pieces together. Of a program, that leaves a heap of words like "initial prompt"
   * and "assistant reply". A phrase found in it is a finding; a resemblance is not.
   */
  readonly guesses?: boolean;
  /** Applying the decoder to its own result would only reverse it again, so it is not called on that. */
  readonly once?: boolean;
  /**
   * 0..1: how surely text that is hidden this way is an evasion, whatever it says. 0 for encodings that harmless text
   * uses too.
   */
  readonly suspicion: number;
  readonly examples: {
    /**
     * Decoding `encoded` gives a text that contains `plain`: either with every piece in its place, or in one piece by
     * itself.
     */
    readonly reads: readonly (readonly [encoded: string, plain: string])[];
    /** Harmless text that looks similar: nothing is decoded from it, or nothing that an attack would need. */
    readonly leaves: readonly string[];
  };
}
