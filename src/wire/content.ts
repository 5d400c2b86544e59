/**
 * What stands in a message, in all wires alike: parts within parts, calls of tools and their results, documents.
 *
 * One grammar serves all, because inside of a message a label can only become stricter than that of its speaker: what
 * comes from tools and documents is a third party's, whatever key it hides under.
 */
import type { Role } from '../domain/passage.ts';
import { deep, INSIDE, place, type Draft, type Keys, type Place } from './place.ts';

const PART_TYPES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['function_call_output', 'tool_result'],
  ['document', 'document'],
  ['search_result', 'document'],
]);

/** Strings under these keys are read by the model as text, or are too likely to be to pass over. */
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
/** What a tool gave back, by the keys that the providers' tools use for it. */
const RESULT_KEYS = ['output', 'outputs', 'results', 'result', 'stdout', 'stderr', 'logs'] as const;
const DOCUMENT_KEYS = ['annotations', 'citations', 'documents'] as const;
/** Content that the upstream fetches or remembers: only its name passes here. */
const REMOTE_KEYS = ['image_url', 'video_url', 'file_url'] as const;
const STORED_KEYS = ['file_id'] as const;

export const STORED: Place = deep({ elsewhere: 'stored-state' });

export interface Content {
  readonly part: Place;
  readonly keys: ReadonlyMap<string, Place>;
  /** Text of one author, alone or in parts. */
  readonly by: (role: Role, more?: Draft) => Place;
}

export function contentWith(draft: Draft, texts: readonly string[] = [], more: Keys = {}): Content {
  const keys = new Map<string, Place>();
  const part = deep({ ...draft, types: PART_TYPES, keys });
  const said = (further: Draft): Place => deep({ types: PART_TYPES, keys, rest: part, text: true, ...further });
  const put = (names: readonly string[], at: Place): void => names.forEach((name) => keys.set(name, at));
  put([...TEXT_KEYS, ...texts], said({}));
  put(RESULT_KEYS, said({ role: 'tool_result' }));
  put(DOCUMENT_KEYS, said({ role: 'document' }));
  const remote = deep({ elsewhere: 'remote-file' });
  put(REMOTE_KEYS, remote);
  put(STORED_KEYS, STORED);
  for (const [name, at] of Object.entries(more)) keys.set(name, at);
  keys.set('source', deep({ types: PART_TYPES, keys: new Map([...keys, ['url', remote]]), rest: part }));
  return { part, keys, by: (role, further) => said({ ...further, role }) };
}

export const CONTENT: Content = contentWith({});

/** Text of one author, alone or in parts. */
export const textBy = CONTENT.by;

export type Speakers = Readonly<Record<string, Role>>;

/** Messages: each object names its speaker. What no speaker of this wire says is `other`. */
export function messages(speakers: Speakers, more: Keys = {}): Place {
  return place({
    message: true,
    speakers: new Map(Object.entries(speakers)),
    types: PART_TYPES,
    keys: new Map([...CONTENT.keys, ...Object.entries(more)]),
    rest: CONTENT.part,
  });
}

/** Items: an object's `type` names the speaker as long as no `role` does; a mere string is the user's. */
export function items(speakers: Speakers, types: Speakers, more: Keys = {}): Place {
  const allTypes = new Map([...PART_TYPES, ...Object.entries(types)]);
  return { ...messages(speakers, more), role: 'user', text: true, tokens: true, types: allTypes };
}

/** Tools: every word of a definition reaches the model, its names, its schema and its examples. */
export const DEFINITIONS: Place = deep({ role: 'tool_definition', message: true, rest: INSIDE });
