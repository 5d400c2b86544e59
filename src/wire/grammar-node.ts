/**
 * A node of a provider's grammar: who wrote the text at a place in the JSON, and what the keys of an object there mean.
 * The grammars of the providers' APIs are trees of nodes.
 *
 * Nodes only assign roles and group text into messages. Text at a place that no grammar knows is scanned all the same.
 */
import type { Role } from '../domain/passage.ts';

/** Content that does not pass through the proxy: the upstream fetches it, or has stored it. */
export type Reference = 'remote-file' | 'stored-state';

export interface GrammarNode {
  /** Who wrote the text here; null: the author of the surrounding object. */
  readonly role: Role | null;
  /** The upstream reads a string here as text, so it becomes its own passage and is never skipped as a blob. */
  readonly isText: boolean;
  /** Each object here is one message. */
  readonly isMessage: boolean;
  /** Maps the values of the key `role` to roles; null: that key has no meaning here. */
  readonly speakers: ReadonlyMap<string, Role> | null;
  /** Values of the key `role` that say that an object of a response repeats what was sent; null: there are none. */
  readonly echoes: ReadonlySet<string> | null;
  /** Maps the values of the key `type` to roles; null: that key has no meaning here. */
  readonly types: ReadonlyMap<string, Role> | null;
  /** Numbers here are token ids: text that cannot be read. */
  readonly mayBeTokenIds: boolean;
  /** A string here refers to content of this kind, which is counted in the metrics. */
  readonly refersTo: Reference | null;
  /** The model calls a tool with this, and chose the keys: they tell what the values are. */
  readonly isArguments: boolean;
  /** Not the words of the model, so not scanned in a response: ids, signatures, ciphertext, echoes of the request. */
  readonly isOpaque: boolean;
  /** Whether the value of a key that is not in `keys` is opaque, judged by the name of the key. */
  readonly isOpaqueKey: ((key: string) => boolean) | null;
  readonly keys: ReadonlyMap<string, GrammarNode>;
  /** The node for all other keys. */
  readonly otherKeys: GrammarNode;
}

export type Keys = Readonly<Record<string, GrammarNode>>;
export type NodeFields = Partial<Omit<GrammarNode, 'keys' | 'otherKeys'>> & {
  keys?: Keys | ReadonlyMap<string, GrammarNode>;
  otherKeys?: GrammarNode;
};

const DEFAULT_FIELDS = {
  role: null,
  isText: false,
  isMessage: false,
  speakers: null,
  echoes: null,
  types: null,
  mayBeTokenIds: false,
  refersTo: null,
  isArguments: false,
  isOpaque: false,
  isOpaqueKey: null,
};

/** A node that contains itself: its fields apply at every depth below, except under the keys that it lists. */
export function recursiveNode(fields: NodeFields): GrammarNode {
  const { keys = {}, ...rest } = fields;
  const self = { ...DEFAULT_FIELDS, ...rest, keys: keys instanceof Map ? keys : new Map(Object.entries(keys)) };
  return Object.assign(self, { otherKeys: fields.otherKeys ?? (self as unknown as GrammarNode) });
}

/** A place of which nothing is known. Its text has the author of the surrounding object. */
export const UNKNOWN_NODE: GrammarNode = recursiveNode({});

export const OPAQUE_NODE: GrammarNode = recursiveNode({ isOpaque: true });

/** A node whose unlisted keys have no particular meaning. */
export function node(fields: NodeFields): GrammarNode {
  return recursiveNode({ otherKeys: UNKNOWN_NODE, ...fields });
}
