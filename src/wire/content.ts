/**
 * The grammar of the content of a message, the same for all providers: nested parts, tool calls and their results,
 * documents.
 *
 * One grammar serves all providers, because inside a message a role can only become stricter than that of its author:
 * content from tools and documents is a third party's, whatever key it is found under.
 */
import type { Role } from '../domain/passage.ts';
import { recursiveNode, UNKNOWN_NODE, node, type NodeFields, type Keys, type GrammarNode } from './grammar-node.ts';

const PART_TYPES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['function_call_output', 'tool_result'],
  ['document', 'document'],
  ['search_result', 'document'],
  ['tool_reference', 'tool_result'],
]);

/** Strings under these keys are read by the model as text, or may well be. */
const TEXT_KEYS = [
  'text',
  'content',
  'thinking',
  'reasoning',
  'reasoning_content',
  'refusal',
  'arguments',
  'input',
  'code',
  'context',
  'title',
  'transcript',
  'summary',
  'diff',
] as const;
/** Keys that the providers use for the results of tools. */
const RESULT_KEYS = ['output', 'outputs', 'results', 'result', 'stdout', 'stderr', 'logs'] as const;
const DOCUMENT_KEYS = ['annotations', 'citations', 'documents', 'search_results'] as const;
/**
 * References to content that the upstream fetches (remote) or has stored. The content itself does not pass through
 * guard.
 */
const REMOTE_KEYS = ['image_url', 'video_url', 'file_url'] as const;
const STORED_KEYS = ['file_id'] as const;

export const STORED_REFERENCE: GrammarNode = recursiveNode({ refersTo: 'stored-state' });

export interface Content {
  readonly part: GrammarNode;
  readonly keys: ReadonlyMap<string, GrammarNode>;
  /** A place for text of one author: a string, or a list of parts. */
  readonly by: (role: Role, more?: NodeFields) => GrammarNode;
}

/** Further keys: of texts, of the results of tools, of documents, and others with the meaning that is given. */
export interface MoreKeys {
  readonly texts?: readonly string[];
  readonly results?: readonly string[];
  readonly documents?: readonly string[];
  readonly others?: Keys;
}

/** Builds a content grammar. `fields` are the base of all its parts. */
export function contentWith(
  fields: NodeFields,
  { texts = [], results = [], documents = [], others = {} }: MoreKeys = {},
): Content {
  const keys = new Map<string, GrammarNode>();
  const part = recursiveNode({ ...fields, types: PART_TYPES, keys });
  const textNode = (further: NodeFields): GrammarNode =>
    recursiveNode({ types: PART_TYPES, keys, otherKeys: part, isText: true, ...further });
  const setAll = (names: readonly string[], at: GrammarNode): void => names.forEach((name) => keys.set(name, at));
  setAll([...TEXT_KEYS, ...texts], textNode({}));
  setAll([...RESULT_KEYS, ...results], textNode({ role: 'tool_result' }));
  setAll([...DOCUMENT_KEYS, ...documents], textNode({ role: 'document' }));
  const remote = recursiveNode({ refersTo: 'remote-file' });
  setAll(REMOTE_KEYS, remote);
  setAll(STORED_KEYS, STORED_REFERENCE);
  for (const [name, at] of Object.entries(others)) keys.set(name, at);
  keys.set('source', recursiveNode({ types: PART_TYPES, keys: new Map([...keys, ['url', remote]]), otherKeys: part }));
  return { part, keys, by: (role, further) => textNode({ ...further, role }) };
}

export const CONTENT: Content = contentWith({});

/** A place for text of one author: a string, or a list of parts. */
export const textBy = CONTENT.by;

export type Speakers = Readonly<Record<string, Role>>;

/** A list of messages, each with its author in `role`. Roles that are not in `speakers` become `other`. */
export function messages(speakers: Speakers, more: Keys = {}, content = CONTENT): GrammarNode {
  return node({
    isMessage: true,
    speakers: new Map(Object.entries(speakers)),
    types: PART_TYPES,
    keys: new Map([...content.keys, ...Object.entries(more)]),
    otherKeys: content.part,
  });
}

/** A list of items: the `type` of an item names its author, unless a `role` does. A plain string is the user's. */
export function items(speakers: Speakers, types: Speakers, more: Keys = {}, content = CONTENT): GrammarNode {
  const allTypes = new Map([...PART_TYPES, ...Object.entries(types)]);
  return { ...messages(speakers, more, content), role: 'user', isText: true, mayBeTokenIds: true, types: allTypes };
}

/** Tool definitions. Every word of them reaches the model: names, schemas and examples. */
export const DEFINITIONS: GrammarNode = recursiveNode({
  role: 'tool_definition',
  isMessage: true,
  otherKeys: UNKNOWN_NODE,
});
