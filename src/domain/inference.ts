import { plainPath } from './plain-path.ts';

/**
 * The endpoints whose responses are the output of a model. Only these are scanned. Others return keys, files and
 * settings, which legitimately hold secrets, and a proxy that withheld those would break the application that it
 * protects.
 */
export const ANSWERS = {
  completions: /\/(chat\/)?completions(\/[^/]+(\/messages)?)?$/,
  responses: /\/responses(\/compact|\/[^/]+(\/input_items)?)?$/,
  messages: /\/messages(\/[^/]+)?$/,
  'batch results': /\/messages\/batches\/[^/]+\/results$/,
  complete: /\/complete$/,
  ollama: /\/api\/(generate|chat)$/,
  conversations: /\/conversations\/[^/]+\/items(\/[^/]+)?$/,
  threads: /\/threads\/.+$/,
  sessions: /\/sessions\/[^/]+\/(events(\/stream)?|threads\/.+)$/,
  'file content': /\/files\/[^/]+\/content$/,
  images: /\/images\/(generations|edits|variations)$/,
  decisions: /\/decisions$/,
  transcripts: /\/audio\/(transcriptions|translations)$/,
  search: /\/vector_stores\/[^/]+\/search$/,
  web: /\/api\/experimental\/web_(search|fetch)$/,
} as const satisfies Record<string, RegExp>;

export type AnswerName = keyof typeof ANSWERS;

/**
 * Finds the endpoint regardless of how the path is spelled: a caller must not be able to avoid the scan of a response
 * by spelling the path differently.
 */
export function answerAt(path: string): AnswerName | null {
  return named(path) ?? named(plainPath(path));
}

function named(path: string): AnswerName | null {
  for (const name in ANSWERS) if (ANSWERS[name as AnswerName].test(path)) return name as AnswerName;
  return null;
}
