/**
 * Collects the passages of one body and limits their number.
 *
 * A large legitimate body has hundreds of thousands of strings, nearly all of them short ids, names and keys. One
 * passage for each would cost more than the scan. So small strings at places unknown to the grammar are joined line by
 * line: those of one message and one role become one passage. Beyond MAX_PASSAGES all further strings are joined by
 * role only; everything is still scanned. Beyond MAX_STRINGS, including keys, the body is refused. That is one string
 * per twenty bytes of the largest body accepted by default, and more would take more time than a scan has.
 */
import { LENIENT_ROLES, THIRD_PARTY } from '../domain/passage.ts';
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

export interface PassageCollector {
  /** Adds a text that the upstream reads as one. */
  readonly add: (text: string, role: Role, where: string, message: number) => void;
  /**
   * Adds a value of which no grammar knows the meaning, with the key that it stands under. Small ones are joined, up to
   * the next long one: a model may read all of them in this order.
   */
  readonly addValue: (text: string, role: Role, where: string, message: number, underKey: string) => void;
  /**
   * Adds what stands between texts but does not keep them apart: the keys of a document, what a media file says. It is
   * joined, and comes behind the values of its message.
   */
  readonly addAside: (text: string, role: Role, where: string, message: number) => void;
  /**
   * Adds a text that the reader of a response puts together from pieces. The pieces are passages already, so it is read
   * beside these.
   */
  readonly addAssembled: (text: string, role: Role, where: string) => void;
  /** Counts content that is not readable text. */
  readonly countUnscannable: (kind: string) => void;
  /** Counts one string. False once there are too many: the body will be refused, so reading on is useless. */
  readonly spendString: () => boolean;
  /**
   * Whether the strings of this document stay within the limit. If not, the body is refused without reading any of
   * them.
   */
  readonly hasRoomFor: (document: string) => boolean;
  readonly nextMessage: () => number;
  /** How many messages have been numbered so far. */
  readonly messageCount: () => number;
  /** How many strings have been joined with strings of other messages so far. */
  readonly joinedStrings: () => number;
  /** Marks the start of a document. The passages added after it can be relabeled with `distrust`. */
  readonly mark: () => number;
  /**
   * Changes the role of all passages since the mark that claim to be the application's or the model's to `other`. In a
   * document not even users speak: all but the results of tools become `document`.
   */
  readonly distrust: (mark: number, isDocument: boolean) => void;
  readonly finish: () => readonly Passage[];
  readonly assembled: readonly Passage[];
  readonly unscannable: Record<string, number>;
  readonly hasOverflowed: () => boolean;
  /** Whether MAX_PASSAGES is reached. Further strings are joined, so their place need not be computed. */
  readonly isFull: () => boolean;
}

/** The `where` of a passage of joined small strings. */
export const SMALL_STRINGS = '(small strings)';

interface Bundle {
  message: number;
  readonly values: Columns;
  /** Every one of them: a sentence may be written in keys, and one that came before may be a word of it. */
  asides: string[];
  /** A long value of this message has come, and its small values may go on from it. */
  hasLongValue: boolean;
}

export function createPassageCollector(): PassageCollector {
  const passages: { text: string; role: Role; where: string; message: number; isValue?: true }[] = [];
  /** Joined strings of the whole body (message number 0), and of the message that is being read. */
  const sharedBundles = new Map<Role, Bundle>();
  const messageBundles = new Map<Role, Bundle>();
  /** Small values outside of any message, and who wrote them. */
  const looseValues = createColumns();
  let looseRole: Role = 'other';
  /** The number of passages when a long value outside of any message was added. */
  let passagesAtLongValue = -1;
  const assembled: Passage[] = [];
  const unscannable: Record<string, number> = {};
  let strings = 0;
  let message = 0;
  let joinedStrings = 0;

  const addJoined = (texts: readonly string[], role: Role, number: number): void => {
    if (texts.length === 0) return;
    const text = closeRepeats(texts.join('\n'));
    if (passages.length < MAX_PASSAGES)
      passages.push({ text, role, where: SMALL_STRINGS, message: number, isValue: true });
    else bundleFor(sharedBundles, role, 0).values.add(text, '');
  };
  /**
   * Values come last, as far as possible, because what the author says next may go on from them. But those behind a
   * long value come first, because they may go on from that one.
   */
  const flush = (role: Role, bundle: Bundle): void => {
    const values = bundle.values.takeAll();
    const { asides, hasLongValue, message: number } = bundle;
    bundle.asides = [];
    bundle.hasLongValue = false;
    for (const texts of hasLongValue ? [values, asides] : [[...asides, ...values]]) {
      if (number !== 0) addJoined(texts, role, number);
      else if (texts.length > 0)
        passages.push({
          text: closeRepeats(texts.join('\n')),
          role,
          where: SMALL_STRINGS,
          message: ++message,
          isValue: true,
        });
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
    if (number === 0) joinedStrings += 1;
    return bundle;
  };
  /** Only behind a long value are they a part of what is said outside of messages, and judged with it. */
  const flushLooseValues = (): void => {
    if (looseValues.size() > 0)
      addJoined(looseValues.takeAll(), looseRole, passages.length === passagesAtLongValue ? 0 : ++message);
  };
  const flushAll = (): void => {
    flushLooseValues();
    messageBundles.forEach((bundle, role) => flush(role, bundle));
    sharedBundles.forEach((bundle, role) => flush(role, bundle));
  };
  const add = (whole: string, role: Role, where: string, number: number): void => {
    const text = closeRepeats(whole);
    if (passages.length < MAX_PASSAGES) passages.push({ text, role, where, message: number });
    else bundleFor(sharedBundles, role, 0).values.add(text, '');
  };
  const addAssembled = (text: string, role: Role, where: string): void => {
    assembled.push({ text: closeRepeats(text), role, where, message: ++message });
  };
  const flushBefore = (underKey: string, role: Role, bundle: Bundle): void => {
    const values = bundle.values.takeBefore(underKey);
    addJoined(bundle.hasLongValue ? values : [...bundle.asides, ...values], role, bundle.message);
    if (!bundle.hasLongValue) bundle.asides = [];
    bundle.hasLongValue = true;
  };
  const addLong = (text: string, role: Role, where: string, number: number, underKey: string): void => {
    if (number === 0) addJoined(looseValues.takeBefore(underKey), looseRole, 0);
    else
      for (const [author, bundle] of messageBundles)
        if (bundle.message === number) flushBefore(underKey, author, bundle);
    add(text, role, where, number);
    if (number === 0) passagesAtLongValue = passages.length;
    else if (passages.length < MAX_PASSAGES) passages.at(-1)!.isValue = true;
  };

  return {
    add,
    addValue: (text, role, where, number, underKey) => {
      if (text.length > SMALL_CHARS) addLong(text, role, where, number, underKey);
      // Tool schemas consist of small strings only. One passage per tool would mean dozens of passages for an agent.
      else if (role === 'tool_definition' || passages.length >= MAX_PASSAGES)
        bundleFor(sharedBundles, role, 0).values.add(text, '');
      else if (number !== 0) bundleFor(messageBundles, role, number).values.add(text, underKey);
      else {
        if (role !== looseRole || looseValues.size() >= BUNDLE_STRINGS) flushLooseValues();
        looseRole = role;
        looseValues.add(text, underKey);
        joinedStrings += 1;
      }
    },
    addAside: (text, role, _where, number) => {
      const shared = number === 0 || role === 'tool_definition' || passages.length >= MAX_PASSAGES;
      bundleFor(shared ? sharedBundles : messageBundles, role, shared ? 0 : number).asides.push(text);
    },
    addAssembled,
    countUnscannable: (kind) => {
      unscannable[kind] = (unscannable[kind] ?? 0) + 1;
    },
    spendString: () => ++strings <= MAX_STRINGS,
    hasRoomFor: (document) => {
      if (!hasMoreLiterals(document, MAX_STRINGS - strings)) return true;
      strings = MAX_STRINGS + 1;
      return false;
    },
    nextMessage: () => ++message,
    messageCount: () => message,
    joinedStrings: () => joinedStrings,
    mark: () => {
      flushAll();
      return passages.length;
    },
    distrust: (mark, isDocument) => {
      flushAll();
      for (let at = mark; at < passages.length; at++) {
        const passage = passages[at]!;
        if (isDocument && !THIRD_PARTY.has(passage.role)) passage.role = 'document';
        else if (LENIENT_ROLES.has(passage.role)) passage.role = 'other';
      }
    },
    finish: () => {
      flushAll();
      return passages;
    },
    assembled,
    unscannable,
    isFull: () => passages.length >= MAX_PASSAGES,
    hasOverflowed: () => strings > MAX_STRINGS,
  };
}

/** A collector that ignores everything, for documents that are no larger than what holds them. */
export const IGNORE_ALL: PassageCollector = {
  add: () => {},
  addValue: () => {},
  addAside: () => {},
  addAssembled: () => {},
  mark: () => 0,
  distrust: () => {},
  nextMessage: () => 0,
  messageCount: () => 0,
  joinedStrings: () => 0,
  countUnscannable: () => {},
  spendString: () => true,
  hasRoomFor: () => true,
  isFull: () => false,
  hasOverflowed: () => false,
  unscannable: {},
  finish: () => [],
  assembled: [],
};

function newBundle(message: number): Bundle {
  return { message, values: createColumns(), asides: [], hasLongValue: false };
}
