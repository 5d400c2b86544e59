/**
 * The passages of one body as they are found, and how many there may be.
 *
 * A big honest body has hundreds of thousands of strings, nearly all of them ids, names and keys of a few letters. A passage
 * for each would cost more than the scan, so small strings at unnamed places are put together, those of one message and
 * one author line by line in one passage. Past MAX_PASSAGES everything is put together by author alone: still all of it is
 * scanned. Past MAX_STRINGS, keys included, a body is refused: that is a string in every twenty bytes of the largest body
 * that is let in by default, and more of them would cost more time than a scan has.
 */
import type { Passage, Role } from '../domain/passage.ts';
import { hasMoreLiterals } from '../text/count-literals.ts';
import { closeRepeats } from '../text/repeats.ts';

export const SMALL_CHARS = 40;
export const MAX_PASSAGES = 10_000;
const MAX_STRINGS = 500_000;
/** Joined in pieces of this many strings, so that a bomb of tiny strings becomes garbage as it is read. */
const BUNDLE_STRINGS = 16_384;

export interface Passages {
  readonly add: (text: string, role: Role, where: string, message: number) => void;
  /** Joined with the other small strings of that author in that message. */
  readonly addSmall: (text: string, role: Role, message: number) => void;
  /** Counts something that is not readable text. */
  readonly count: (kind: string) => void;
  /** False once there are too many strings: the body will be refused, so reading on is idle. */
  readonly spendString: () => boolean;
  /** False when a document has more strings than there may be: then none of them need be read. */
  readonly hasRoomFor: (document: string) => boolean;
  readonly nextMessage: () => number;
  /** How many messages were numbered, and how many strings were put together with those of other messages. */
  readonly messages: () => number;
  readonly together: () => number;
  /** From here on to `distrust` lie the passages of one document. */
  readonly mark: () => number;
  /** What claimed to be written by the application or the model may not have been: `other`. */
  readonly distrust: (mark: number) => void;
  readonly finish: () => readonly Passage[];
  readonly unscannable: Record<string, number>;
  readonly overflowed: () => boolean;
  /** No more passages of their own: nobody will ask where the rest stood. */
  readonly full: () => boolean;
}

/** Where a passage of small strings stood. */
export const SMALL = '(small strings)';

interface Bundle {
  message: number;
  readonly texts: string[];
}

/** Roles that soften the policy: the application's and the model's own words. */
export const CLAIMED: ReadonlySet<Role> = new Set<Role>(['system', 'developer', 'assistant', 'tool_definition']);

export function passagesOfBody(): Passages {
  const found: { text: string; role: Role; where: string; message: number }[] = [];
  /** Of the whole body, and of the message that is being read. */
  const common = new Map<Role, Bundle>();
  const own = new Map<Role, Bundle>();
  const unscannable: Record<string, number> = {};
  let strings = 0;
  let message = 0;
  let together = 0;

  const flush = (role: Role, { message: number, texts }: Bundle): void => {
    if (texts.length === 0) return;
    const text = closeRepeats(texts.join('\n'));
    texts.length = 0;
    if (number === 0 || found.length < MAX_PASSAGES)
      found.push({ text, role, where: SMALL, message: number || ++message });
    else putIn(common, text, role, 0);
  };
  const putIn = (bundles: Map<Role, Bundle>, text: string, role: Role, number: number): void => {
    let bundle = bundles.get(role);
    if (bundle === undefined) bundles.set(role, (bundle = { message: number, texts: [] }));
    if (bundle.message !== number || bundle.texts.length >= BUNDLE_STRINGS) flush(role, bundle);
    if (bundle.message !== number) {
      // Handed over in the order in which they began, whoever spoke first in the body.
      bundles.delete(role);
      bundles.set(role, bundle);
    }
    bundle.message = number;
    bundle.texts.push(text);
    if (number === 0) together += 1;
  };
  const flushAll = (): void => {
    own.forEach((bundle, role) => flush(role, bundle));
    common.forEach((bundle, role) => flush(role, bundle));
  };

  return {
    add: (whole, role, where, number) => {
      const text = closeRepeats(whole);
      if (found.length < MAX_PASSAGES) found.push({ text, role, where, message: number });
      else putIn(common, text, role, 0);
    },
    addSmall: (text, role, number) => {
      // Schemas are nothing but small strings: a passage for those of each tool would cost an agent dozens.
      if (number === 0 || role === 'tool_definition' || found.length >= MAX_PASSAGES) putIn(common, text, role, 0);
      else putIn(own, text, role, number);
    },
    count: (kind) => {
      unscannable[kind] = (unscannable[kind] ?? 0) + 1;
    },
    spendString: () => ++strings <= MAX_STRINGS,
    hasRoomFor: (document) => {
      if (!hasMoreLiterals(document, MAX_STRINGS - strings)) return true;
      strings = MAX_STRINGS + 1;
      return false;
    },
    nextMessage: () => ++message,
    messages: () => message,
    together: () => together,
    mark: () => {
      flushAll();
      return found.length;
    },
    distrust: (mark) => {
      flushAll();
      for (let at = mark; at < found.length; at++) {
        const passage = found[at]!;
        if (CLAIMED.has(passage.role)) passage.role = 'other';
      }
    },
    finish: () => {
      flushAll();
      return found;
    },
    unscannable,
    full: () => found.length >= MAX_PASSAGES,
    overflowed: () => strings > MAX_STRINGS,
  };
}
