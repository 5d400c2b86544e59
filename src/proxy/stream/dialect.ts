import { plainPath } from '../../domain/plain-path.ts';

/**
 * How the clients of an API read its event streams. They share the format and little else: some drop events that have
 * a name, some read nothing but lines of data, and some take a comment for a broken stream.
 */
export type Dialect =
  /** The events have names, or nothing is known about them. Clients raise on an event named `error`. */
  | 'named'
  /** Chunks of chat completions. They have no names, and some clients drop the events that have one. */
  | 'chunks'
  /** Gemini. Clients cut the stream at blank lines and take every block for one line of data. */
  | 'gemini'
  /** Cohere. No client raises on any event that can be read. */
  | 'cohere';

const PATHS: readonly (readonly [path: RegExp, dialect: Dialect])[] = [
  [/\/(chat\/)?completions$/, 'chunks'],
  [/:(stream)?generatecontent$/, 'gemini'],
  [/\/v\d+\/chat$/, 'cohere'],
];

/** The path may stand behind the name of an upstream. */
export function dialectAt(path: string): Dialect {
  const plain = plainPath(path);
  return PATHS.find(([ending]) => ending.test(plain))?.[1] ?? 'named';
}
