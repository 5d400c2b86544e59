/**
 * Reads a JSON document, well-formed or not, and adds its strings to the passages, with roles by a grammar.
 */
import { unescape } from '../text/escapes.ts';
import { readLiterals, type Documents } from '../text/strings.ts';
import { LENIENT_ROLES, type Role } from '../domain/passage.ts';
import { withoutTemplate } from './chat-template.ts';
import { SMALL_CHARS, type PassageCollector } from './passages.ts';
import { UNKNOWN_NODE, OPAQUE_NODE, type GrammarNode } from './grammar-node.ts';
import { formatWhere } from './where.ts';
import { roleOf, recordRole, recordType, repeatsRequest, type Pending, type Scope } from './speaker.ts';
import { readValue } from './read-value.ts';
import { recordTurns, TURN_DEPTH, type Turns } from './turns.ts';

/** Below this depth, strings get the role of this depth. Text is read at any depth. */
const MAX_LABELLED_DEPTH = 64;
/** Longer than any key of any grammar. */
const MAX_KEY_CHARS = 32;
/** The most strings of one message that are held until its role is known. */
const MAX_PENDING = 4096;

/** The end of the `where` of a value that is read once more, with its key. */
export const NAMED = '<named>';
/** What a secret that is known by its name can look like: up to six words or numbers, with a digit among them. */
const SECRET_VALUE = /^(?=.{6,200}$)(?=[^0-9]*[0-9])[!-~]+(?: [!-~]+){0,5}$/;

/** Words of the APIs themselves. As a key, or as the value of `role` or `type`, they are not read as text. */
const WIRE_WORDS: ReadonlySet<string> = new Set(
  (
    'role type model stream temperature top_p max_tokens max_completion_tokens name id description parameters properties ' +
    'required strict tool_call_id tool_calls tool_use_id tool_use tool_result input_text output_text input_schema ' +
    'cache_control ephemeral function object string image_url url input_image input_audio input_file base64 ' +
    'choices index delta'
  ).split(' '),
);

/** In a list under them there may be several prompts. */
const RAW_PROMPT_KEYS: ReadonlySet<string> = new Set(['prompt', 'inputs']);

export interface JsonReading {
  readonly root: GrammarNode;
  readonly documents: Documents;
  /** Keys match in any case, as in upstreams written in Go. */
  readonly caseless: boolean;
  /** Whether roles that make the policy more lenient (LENIENT_ROLES) are believed, and in a document any claim. */
  readonly trusted: boolean;
  /** The role for the text as a whole, used if it is not well-formed. */
  readonly role: Role;
  /**
   * Whether secrets are looked for. Then the arguments of tools are read as they stand in JSON, too: the number of a card
   * is one without quotation marks as well, and many secrets are known only by their name.
   */
  readonly secrets: boolean;
  /** Whether the prompt goes to the model as it is, and may be written in the model's template. */
  readonly hasRawPrompt?: boolean;
  /** If given, filled in with the position of each message in the document. */
  readonly turns?: Turns | undefined;
}

/** Which key of its object a value stands under: one that tells the author, or any other (null). */
type AuthorKey = 'role' | 'type' | null;

/** Returns whether the text is well-formed JSON with nothing after it, so that all parsers read it in the same way. */
export function readJson(text: string, reading: JsonReading, into: PassageCollector): boolean {
  const { root, caseless } = reading;
  if (!into.hasRoomFor(text)) return false;
  const mark = into.mark();
  let depth = 0;
  const nodes: GrammarNode[] = [root];
  const scopes: (Scope | null)[] = [newScope(root, null, into)];
  const isObject: boolean[] = [false];
  const names: string[] = [''];
  const indexes: number[] = [0];
  /** The node of the next value, and whether that value is the `role` or `type` of its object. */
  let nextNode = root;
  let nextAuthorKey: AuthorKey = null;
  /** The depth at which token ids were counted last, so that a list of them counts once. */
  let tokenIdsDepth = -1;
  const { turns } = reading;
  const turnRecorder = turns === undefined ? null : recordTurns(turns, into);
  const isTurn = (): boolean =>
    depth === TURN_DEPTH && isObject[TURN_DEPTH]! && !isObject[TURN_DEPTH - 1]! && nodes[TURN_DEPTH]!.isMessage;

  /** Scopes are created when first needed, so that a bomb of empty objects creates none. */
  const currentScope = (): Scope => {
    const level = Math.min(depth, MAX_LABELLED_DEPTH);
    let made = level;
    while (scopes[made] === null) made--;
    for (; made < level; made++) {
      const inner = nodes[made + 1]!;
      const outer = scopes[made]!;
      scopes[made + 1] = isObject[made + 1] && needsScope(inner) ? newScope(inner, outer, into) : outer;
    }
    return scopes[level]!;
  };
  /** The key that the value stands under, also if it stands in a list under that key. */
  const keyAbove = (): string => {
    let level = Math.min(depth, MAX_LABELLED_DEPTH);
    while (level > 0 && !isObject[level]) level--;
    return names[level]!;
  };
  const addString = (text: string, node: GrammarNode, underKey: string | null, suffix = ''): void => {
    if (text === '') return;
    const scope = currentScope();
    const { isText, role } = node;
    const needsWhere = (isText || text.length > SMALL_CHARS) && !into.isFull();
    const place = needsWhere ? formatWhere(names, indexes, isObject, Math.min(depth, MAX_LABELLED_DEPTH)) : '';
    const where = place + suffix;
    const message = scope.message;
    if (message === null) deliver({ text, scope, role, isText, underKey, where }, 0, role ?? roleOf(scope), into);
    else {
      message.pending ??= [];
      message.pending.push({ text, scope, role, isText, underKey, where });
      if (message.pending.length >= MAX_PENDING) addPending(message, true, into);
    }
  };

  const addNamed = (key: string, written: string): void => {
    if (key !== '') addString(`"${key}": ${written}`, UNKNOWN_NODE, null, NAMED);
  };

  const isWellFormed = readLiterals(
    text,
    {
      levels: MAX_LABELLED_DEPTH + 1,
      open: (object, at) => {
        nextAuthorKey = null;
        const node = nextNode;
        if (depth < MAX_LABELLED_DEPTH) {
          if (depth > 0 && !isObject[depth]) indexes[depth]!++;
          const level = depth + 1;
          nodes[level] = node;
          scopes[level] = null;
          isObject[level] = object;
          names[level] = '';
          indexes[level] = -1;
        }
        depth++;
        if (object && depth <= MAX_LABELLED_DEPTH) nextNode = node.otherKeys;
        if (turnRecorder === null) return;
        if (depth === TURN_DEPTH - 1) turnRecorder.openArray(at);
        else if (isTurn()) turnRecorder.openTurn(at);
      },
      close: (at) => {
        if (depth <= MAX_LABELLED_DEPTH) {
          const scope = scopes[depth];
          if (nodes[depth]!.isMessage && isObject[depth] && scope != null) addPending(scope, false, into);
          if (turnRecorder !== null && isTurn()) turnRecorder.closeTurn(at, indexes[TURN_DEPTH - 1]!);
          if (tokenIdsDepth >= depth) tokenIdsDepth = -1;
        }
        depth--;
        if (depth <= MAX_LABELLED_DEPTH) nextNode = nodes[depth]!;
        nextAuthorKey = null;
      },
      key: (key) => {
        const level = Math.min(depth, MAX_LABELLED_DEPTH);
        const node = nodes[level]!;
        let isSkipped = node.isOpaque;
        nextAuthorKey = null;
        if (depth <= MAX_LABELLED_DEPTH) {
          names[depth] = key;
          const known = lookUp(node, key, caseless);
          nextNode = known ?? (node.isOpaqueKey?.(key) === true ? OPAQUE_NODE : node.otherKeys);
          if (node.speakers !== null || node.types !== null || node.echoes !== null)
            nextAuthorKey = authorKeyOf(key, node, currentScope, caseless);
          isSkipped ||= known !== undefined;
        }
        if (!isSkipped && !WIRE_WORDS.has(key)) addString(key, UNKNOWN_NODE, null);
        return into.spendString();
      },
      value: (string) => {
        const level = Math.min(depth, MAX_LABELLED_DEPTH);
        if (!isObject[level]) indexes[level]!++;
        if (nextAuthorKey !== null) {
          (nextAuthorKey === 'role' ? recordRole : recordType)(currentScope(), string);
          nextAuthorKey = null;
          if (isApiWord(string, nodes[level]!)) return into.spendString();
        }
        if (nextNode.isOpaque) return into.spendString();
        if (nextNode.refersTo !== null && isReference(nextNode.refersTo, string))
          into.countUnscannable(nextNode.refersTo);
        const key = nextNode.isText ? '' : keyAbove();
        const isRaw = reading.hasRawPrompt === true && depth <= 2 && RAW_PROMPT_KEYS.has(names[1]!);
        addString(isRaw ? (withoutTemplate(string) ?? string) : string, nextNode, key);
        if (reading.secrets && nextNode.isArguments && SECRET_VALUE.test(string)) addNamed(key, `"${string}"`);
        return into.spendString();
      },
      scalars: (count, numbers) => {
        nextAuthorKey = null;
        const level = Math.min(depth, MAX_LABELLED_DEPTH);
        if (isObject[level]) return;
        indexes[level]! += count;
        if (!nextNode.mayBeTokenIds || tokenIdsDepth === depth || !numbers) return;
        tokenIdsDepth = depth;
        into.countUnscannable('token-ids');
      },
      number: reading.secrets
        ? (number) => {
            if (nextNode.isArguments || nextNode.isText) addNamed(keyAbove(), number);
            return into.spendString();
          }
        : null,
    },
    reading.documents,
  );

  if (into.hasOverflowed()) return false;
  for (const scope of scopes) if (scope?.message != null) addPending(scope.message, false, into);
  if (!isWellFormed) into.add(unescape(text), reading.role, '(whole body)', into.nextMessage());
  if (!isWellFormed || !reading.trusted) into.distrust(mark, reading.role === 'document');
  if (turns !== undefined) {
    turns.text = text;
    turns.isWellFormed = isWellFormed;
  }
  return isWellFormed;
}

/** Whether an object at this node needs its own scope. Otherwise it shares the scope of the surrounding object. */
function needsScope(node: GrammarNode): boolean {
  return node.isMessage || node.role !== null || node.types !== null || node.speakers !== null;
}

function newScope(node: GrammarNode, parent: Scope | null, into: PassageCollector): Scope {
  const isMessage = node.isMessage;
  const scope: { -readonly [name in keyof Scope]: Scope[name] } = {
    node,
    role: node.role,
    parent,
    message: parent?.message ?? null,
    number: isMessage ? into.nextMessage() : (parent?.number ?? 0),
    pending: null,
    roleKeys: 0,
    roleStrings: 0,
    roleValue: null,
    typeValue: null,
    isAmbiguous: false,
  };
  if (isMessage) scope.message = scope;
  return scope;
}

/**
 * Whether the value of this key is the role or type of its object. A key in another case, such as `Role`, has that
 * meaning only for some parsers, so the author is ambiguous.
 */
function authorKeyOf(key: string, node: GrammarNode, currentScope: () => Scope, caseless: boolean): AuthorKey {
  if (key.length !== 4) return null;
  const name = key.toLowerCase();
  const authorKey =
    name === 'role' && namesAuthors(node) ? 'role' : name === 'type' && node.types !== null ? 'type' : null;
  if (authorKey === null || !namesAuthors(node)) return authorKey;
  const scope = currentScope();
  if (authorKey === 'role') scope.roleKeys++;
  if (key !== name && !caseless) scope.isAmbiguous = true;
  return authorKey;
}

function namesAuthors({ speakers, echoes }: GrammarNode): boolean {
  return speakers !== null || echoes !== null;
}

/** Whether the value is a role or type name of the API. These are not added as text. */
function isApiWord(word: string, { speakers, types }: GrammarNode): boolean {
  return word === 'text' || speakers?.has(word) === true || types?.has(word) === true || WIRE_WORDS.has(word);
}

/**
 * Adds the strings that were held until the role of the message is known. `early`: before the end of the message,
 * because too many strings are held. A later key may still contradict the role then, so roles that make the policy more
 * lenient are not believed.
 */
function addPending(message: Scope, early: boolean, into: PassageCollector): void {
  if (message.pending === null) return;
  if (!early && repeatsRequest(message)) {
    message.pending = null;
    return;
  }
  for (const pending of message.pending) {
    const role = pending.role ?? roleOf(pending.scope);
    deliver(pending, pending.scope.number, early && LENIENT_ROLES.has(role) ? 'other' : role, into);
  }
  message.pending = null;
}

function deliver(pending: Pending, message: number, role: Role, into: PassageCollector): void {
  const { text, scope, where, underKey } = pending;
  // A document part has its text under `data`, where other parts have files. The type of the part tells them apart.
  const isText = pending.isText || (scope.typeValue === 'text' && underKey !== null);
  readValue(text, { role, where, message, isText, underKey }, into);
}

function lookUp({ keys }: GrammarNode, key: string, caseless: boolean): GrammarNode | undefined {
  if (keys.size === 0 || key.length > MAX_KEY_CHARS) return undefined;
  return keys.get(key) ?? (caseless ? keys.get(key.toLowerCase()) : undefined);
}

function isReference(kind: string, value: string): boolean {
  return kind === 'remote-file' ? /^(https?|gs|s3|file):/i.test(value) : value !== '';
}
