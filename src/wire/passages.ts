/**
 * Collects the passages of one body and limits their number.
 *
 * A large legitimate body has hundreds of thousands of strings, nearly all of them short ids, names and keys. One
 * passage for each would cost more than the scan. So small strings at places unknown to the grammar are joined line by
 * line: those of one message and one role become one passage. Beyond MAX_PASSAGES all further strings are joined by
 * role only; everything is still scanned. Beyond MAX_STRINGS, including keys, the body is refused. That is one string
 * per twenty bytes of the largest body accepted by default, and more would take more time than a scan has.
 */
import type { Passage, Role } from '../domain/passage.ts';
import { hasMoreLiterals } from '../text/count-literals.ts';
import { closeRepeats } from '../text/repeats.ts';

export const SMALL_CHARS = 40;
export const MAX_PASSAGES = 10_000;
const MAX_STRINGS = 500_000;
/**
 * A joined passage has at most this many strings, so that the tiny strings of a bomb become garbage while it is read.
 */
const BUNDLE_STRINGS = 16_384;

export interface Passages {
  readonly add: (text: string, role: Role, where: string, message: number) => void;
  /** Adds a string that is joined with the other small strings of this role in this message. */
  readonly addSmall: (text: string, role: Role, message: number) => void;
  /** Counts content that is not readable text. */
  readonly count: (kind: string) => void;
  /** Counts one string. False once there are too many: the body will be refused, so reading on is useless. */
  readonly spendString: () => boolean;
  /**
   * Whether the strings of this document stay within the limit. If not, the body is refused without reading any of
   * them.
   */
  readonly hasRoomFor: (document: string) => boolean;
  readonly nextMessage: () => number;
  /** How many messages have been numbered so far. */
  readonly messages: () => number;
  /** How many strings have been joined with strings of other messages so far. */
  readonly together: () => number;
  /** Marks the start of a document. The passages added after it can be relabeled with `distrust`. */
  readonly mark: () => number;
  /** Changes the role of all passages since the mark that claim to be the application's or the model's to `other`. */
  readonly distrust: (mark: number) => void;
  readonly finish: () => readonly Passage[];
  readonly unscannable: Record<string, number>;
  readonly overflowed: () => boolean;
  /** Whether MAX_PASSAGES is reached. Further strings are joined, so their place need not be computed. */
  readonly full: () => boolean;
}

/** The `where` of a passage of joined small strings. */
export const SMALL = '(small strings)';

interface Bundle {
  message: number;
  readonly texts: string[];
}

/** Roles that make the policy more lenient: texts of the application and of the model. */
export const CLAIMED: ReadonlySet<Role> = new Set<Role>(['system', 'developer', 'assistant', 'tool_definition']);

export function passagesOfBody(): Passages {
  const found: { text: string; role: Role; where: string; message: number }[] = [];
  /** Joined strings of the whole body (message number 0), and of the message that is being read. */
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
      // Moves the bundle to the end of the map, so that passages are flushed in the order in which their messages
      // began.
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
      // Tool schemas consist of small strings only. One passage per tool would mean dozens of passages for an agent.
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
