/**
 * A place in the JSON of a provider: who wrote the text there, and what the keys of an object there mean. The grammars
 * of the providers' APIs are trees of places.
 *
 * Places only assign roles and group text into messages. Text at a place that no grammar knows is scanned all the same.
 */
import type { Role } from '../domain/passage.ts';

export interface Place {
  /** Who wrote the text here; null: the author of the surrounding object. */
  readonly role: Role | null;
  /** The upstream reads a string here as text, so it becomes its own passage and is never skipped as a blob. */
  readonly text: boolean;
  /** Each object here is one message. */
  readonly message: boolean;
  /** Maps the values of the key `role` to roles; null: that key has no meaning here. */
  readonly speakers: ReadonlyMap<string, Role> | null;
  /** Maps the values of the key `type` to roles; null: that key has no meaning here. */
  readonly types: ReadonlyMap<string, Role> | null;
  /** Numbers here are token ids: text that cannot be read. */
  readonly tokens: boolean;
  /** A string here refers to content that does not pass through the proxy. The value is the kind, for the metrics. */
  readonly elsewhere: string | null;
  /** Not the words of the model, so not scanned in a response: ids, signatures, ciphertext, echoes of the request. */
  readonly opaque: boolean;
  /** Whether the value of a key that is not in `keys` is opaque, judged by the name of the key. */
  readonly hides: ((key: string) => boolean) | null;
  readonly keys: ReadonlyMap<string, Place>;
  /** The place for all other keys. */
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

/** A place that contains itself: its properties apply at every depth below, except under the keys that it lists. */
export function deep(draft: Draft): Place {
  const { keys = {}, ...rest } = draft;
  const self = { ...BARE, ...rest, keys: keys instanceof Map ? keys : new Map(Object.entries(keys)) };
  return Object.assign(self, { rest: draft.rest ?? (self as unknown as Place) });
}

/** A place of which nothing is known. Its text has the author of the surrounding object. */
export const INSIDE: Place = deep({});

export const OPAQUE: Place = deep({ opaque: true });

/** A place whose unlisted keys have no particular meaning. */
export function place(draft: Draft): Place {
  return deep({ rest: INSIDE, ...draft });
}
