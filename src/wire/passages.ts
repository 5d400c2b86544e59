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
import { createColumns, type Columns } from './columns.ts';

export const SMALL_CHARS = 40;
export const MAX_PASSAGES = 10_000;
const MAX_STRINGS = 500_000;
/**
 * A joined passage has at most this many strings, so that the tiny strings of a bomb become garbage while it is read.
 */
const BUNDLE_STRINGS = 16_384;

export interface Passages {
  /** Adds a text that the upstream reads as one. */
  readonly add: (text: string, role: Role, where: string, message: number) => void;
  /**
   * Adds a value of which no grammar knows the meaning, with the key that it stands under. Small ones are joined, up to
   * the next long one: a model may read all of them in this order.
   */
  readonly addValue: (text: string, role: Role, where: string, message: number, under: string) => void;
  /**
   * Adds what stands between texts but does not keep them apart: the keys of a document, what a media file says. It is
   * joined, and comes behind the values of its message.
   */
  readonly addAside: (text: string, role: Role, where: string, message: number) => void;
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
  readonly values: Columns;
  /** Every one of them: a sentence may be written in keys, and one that came before may be a word of it. */
  asides: string[];
  /** A long value of this message has come, and its small values may go on from it. */
  goesOn: boolean;
}

/** Roles that make the policy more lenient: texts of the application and of the model. */
export const CLAIMED: ReadonlySet<Role> = new Set<Role>(['system', 'developer', 'assistant', 'tool_definition']);

export function passagesOfBody(): Passages {
  const found: { text: string; role: Role; where: string; message: number }[] = [];
  /** Joined strings of the whole body (message number 0), and of the message that is being read. */
  const common = new Map<Role, Bundle>();
  const own = new Map<Role, Bundle>();
  /** Small values outside of any message, and who wrote them. */
  const row = createColumns();
  let rowRole: Role = 'other';
  /** The number of passages when a long value outside of any message was added. */
  let afterLong = -1;
  const unscannable: Record<string, number> = {};
  let strings = 0;
  let message = 0;
  let together = 0;

  const push = (texts: readonly string[], role: Role, number: number): void => {
    if (texts.length === 0) return;
    const text = closeRepeats(texts.join('\n'));
    if (found.length < MAX_PASSAGES) found.push({ text, role, where: SMALL, message: number });
    else bundleFor(common, role, 0).values.add(text, '');
  };
  /**
   * Values come last, as far as possible, because what the author says next may go on from them. But those behind a
   * long value come first, because they may go on from that one.
   */
  const flush = (role: Role, bundle: Bundle): void => {
    const values = bundle.values.takeAll();
    const { asides, goesOn, message: number } = bundle;
    bundle.asides = [];
    bundle.goesOn = false;
    for (const texts of goesOn ? [values, asides] : [[...asides, ...values]]) {
      if (number !== 0) push(texts, role, number);
      else if (texts.length > 0)
        found.push({ text: closeRepeats(texts.join('\n')), role, where: SMALL, message: ++message });
    }
  };
  /** The bundle to put a string in; message number 0 for strings of several messages. */
  const bundleFor = (bundles: Map<Role, Bundle>, role: Role, number: number): Bundle => {
    let bundle = bundles.get(role);
    if (bundle === undefined) bundles.set(role, (bundle = newBundle(number)));
    const { values, asides } = bundle;
    if (bundle.message !== number || values.size() >= BUNDLE_STRINGS || asides.length >= BUNDLE_STRINGS)
      flush(role, bundle);
    if (bundle.message !== number) {
      // Moves the bundle to the end of the map, so that passages are flushed in the order in which their messages
      // began.
      bundles.delete(role);
      bundles.set(role, bundle);
    }
    bundle.message = number;
    if (number === 0) together += 1;
    return bundle;
  };
  /** Only behind a long value the row is a part of what is said outside of messages, and judged with it. */
  const endRow = (): void => {
    if (row.size() > 0) push(row.takeAll(), rowRole, found.length === afterLong ? 0 : ++message);
  };
  const flushAll = (): void => {
    endRow();
    own.forEach((bundle, role) => flush(role, bundle));
    common.forEach((bundle, role) => flush(role, bundle));
  };
  const add = (whole: string, role: Role, where: string, number: number): void => {
    const text = closeRepeats(whole);
    if (found.length < MAX_PASSAGES) found.push({ text, role, where, message: number });
    else bundleFor(common, role, 0).values.add(text, '');
  };
  const flushBefore = (under: string, role: Role, bundle: Bundle): void => {
    const values = bundle.values.takeBefore(under);
    push(bundle.goesOn ? values : [...bundle.asides, ...values], role, bundle.message);
    if (!bundle.goesOn) bundle.asides = [];
    bundle.goesOn = true;
  };
  const addLong = (text: string, role: Role, where: string, number: number, under: string): void => {
    if (number === 0) push(row.takeBefore(under), rowRole, 0);
    else for (const [author, bundle] of own) if (bundle.message === number) flushBefore(under, author, bundle);
    add(text, role, where, number);
    if (number === 0) afterLong = found.length;
  };

  return {
    add,
    addValue: (text, role, where, number, under) => {
      if (text.length > SMALL_CHARS) addLong(text, role, where, number, under);
      // Tool schemas consist of small strings only. One passage per tool would mean dozens of passages for an agent.
      else if (role === 'tool_definition' || found.length >= MAX_PASSAGES)
        bundleFor(common, role, 0).values.add(text, '');
      else if (number !== 0) bundleFor(own, role, number).values.add(text, under);
      else {
        if (role !== rowRole || row.size() >= BUNDLE_STRINGS) endRow();
        rowRole = role;
        row.add(text, under);
        together += 1;
      }
    },
    addAside: (text, role, _where, number) => {
      const shared = number === 0 || role === 'tool_definition' || found.length >= MAX_PASSAGES;
      bundleFor(shared ? common : own, role, shared ? 0 : number).asides.push(text);
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

function newBundle(message: number): Bundle {
  return { message, values: createColumns(), asides: [], goesOn: false };
}
