/**
 * The grammar of the content of a message, the same for all providers: nested parts, tool calls and their results,
 * documents.
 *
 * One grammar serves all providers, because inside a message a role can only become stricter than that of its author:
 * content from tools and documents is a third party's, whatever key it is found under.
 */
import type { Role } from '../domain/passage.ts';
import { deep, INSIDE, place, type Draft, type Keys, type Place } from './place.ts';

const PART_TYPES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['function_call_output', 'tool_result'],
  ['document', 'document'],
  ['search_result', 'document'],
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
const DOCUMENT_KEYS = ['annotations', 'citations', 'documents'] as const;
/**
 * References to content that the upstream fetches (remote) or has stored. The content itself does not pass through
 * guard.
 */
const REMOTE_KEYS = ['image_url', 'video_url', 'file_url'] as const;
const STORED_KEYS = ['file_id'] as const;

export const STORED: Place = deep({ elsewhere: 'stored-state' });

export interface Content {
  readonly part: Place;
  readonly keys: ReadonlyMap<string, Place>;
  /** A place for text of one author: a string, or a list of parts. */
  readonly by: (role: Role, more?: Draft) => Place;
}

/**
 * Builds a content grammar. `draft` is the base of all its parts; `texts`, `more`, and `results` of tools are further
 * keys.
 */
export function contentWith(
  draft: Draft,
  texts: readonly string[] = [],
  more: Keys = {},
  results: readonly string[] = [],
): Content {
  const keys = new Map<string, Place>();
  const part = deep({ ...draft, types: PART_TYPES, keys });
  const said = (further: Draft): Place => deep({ types: PART_TYPES, keys, rest: part, text: true, ...further });
  const put = (names: readonly string[], at: Place): void => names.forEach((name) => keys.set(name, at));
  put([...TEXT_KEYS, ...texts], said({}));
  put([...RESULT_KEYS, ...results], said({ role: 'tool_result' }));
  put(DOCUMENT_KEYS, said({ role: 'document' }));
  const remote = deep({ elsewhere: 'remote-file' });
  put(REMOTE_KEYS, remote);
  put(STORED_KEYS, STORED);
  for (const [name, at] of Object.entries(more)) keys.set(name, at);
  keys.set('source', deep({ types: PART_TYPES, keys: new Map([...keys, ['url', remote]]), rest: part }));
  return { part, keys, by: (role, further) => said({ ...further, role }) };
}

export const CONTENT: Content = contentWith({});

/** A place for text of one author: a string, or a list of parts. */
export const textBy = CONTENT.by;

export type Speakers = Readonly<Record<string, Role>>;

/** A list of messages, each with its author in `role`. Roles that are not in `speakers` become `other`. */
export function messages(speakers: Speakers, more: Keys = {}, content = CONTENT): Place {
  return place({
    message: true,
    speakers: new Map(Object.entries(speakers)),
    types: PART_TYPES,
    keys: new Map([...content.keys, ...Object.entries(more)]),
    rest: content.part,
  });
}

/** A list of items: the `type` of an item names its author, unless a `role` does. A plain string is the user's. */
export function items(speakers: Speakers, types: Speakers, more: Keys = {}, content = CONTENT): Place {
  const allTypes = new Map([...PART_TYPES, ...Object.entries(types)]);
  return { ...messages(speakers, more, content), role: 'user', text: true, tokens: true, types: allTypes };
}

/** Tool definitions. Every word of them reaches the model: names, schemas and examples. */
export const DEFINITIONS: Place = deep({ role: 'tool_definition', message: true, rest: INSIDE });
