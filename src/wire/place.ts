/**
 * A place in a provider's JSON: who wrote what stands there, and what its keys mean.
 *
 * The grammars of the wires are made of these, as data. A place only labels and groups: text at a place that no grammar
 * knows is scanned all the same.
 */
import type { Role } from '../domain/passage.ts';

export interface Place {
  /** Who wrote it; null: whoever wrote what it stands in. */
  readonly role: Role | null;
  /** The upstream reads a string here as text, so it is a passage of its own and never passed over as a blob. */
  readonly text: boolean;
  /** Each object here is one message. */
  readonly message: boolean;
  /** What the values of the key `role` mean; null: that key means nothing here. */
  readonly speakers: ReadonlyMap<string, Role> | null;
  /** What the values of the key `type` mean; null: that key means nothing here. */
  readonly types: ReadonlyMap<string, Role> | null;
  /** Numbers here are token ids: text that cannot be read. */
  readonly tokens: boolean;
  /** A string here names content that never passes the proxy, of this kind. */
  readonly elsewhere: string | null;
  /** Ids, signatures, ciphertext, echoes: in responses these are not what the model said. */
  readonly opaque: boolean;
  /** Keys whose values are opaque by their look. */
  readonly hides: ((key: string) => boolean) | null;
  readonly keys: ReadonlyMap<string, Place>;
  /** The place of all other keys. */
  readonly rest: Place;
}

export type Keys = Readonly<Record<string, Place>>;
export type Draft = Partial<Omit<Place, 'keys' | 'rest'>> & { keys?: Keys | ReadonlyMap<string, Place>; rest?: Place };

const BARE = {
  role: null,
  text: false,
  message: false,
  speakers: null,
  types: null,
  tokens: false,
  elsewhere: null,
  opaque: false,
  hides: null,
};

/** A place that is its own inside: what is true of it is true all the way down, but for the keys that say otherwise. */
export function deep(draft: Draft): Place {
  const { keys = {}, ...rest } = draft;
  const self = { ...BARE, ...rest, keys: keys instanceof Map ? keys : new Map(Object.entries(keys)) };
  return Object.assign(self, { rest: draft.rest ?? (self as unknown as Place) });
}

/** Somewhere inside: nothing is known but who wrote what it stands in. */
export const INSIDE: Place = deep({});

export const OPAQUE: Place = deep({ opaque: true });

/** A place whose other keys are nothing in particular. */
export function place(draft: Draft): Place {
  return deep({ rest: INSIDE, ...draft });
}
