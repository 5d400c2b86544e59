import { plainPath } from './plain-path.ts';

/**
 * Which endpoints answer with the words of a model. Only their responses are scanned: others return keys, files and settings,
 * honest secrets among them, and a proxy that withheld those would break what it guards.
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

/** However the path is spelled: the caller must not choose by it whether the answer is scanned. */
export function answerAt(path: string): AnswerName | null {
  return named(path) ?? named(plainPath(path));
}

function named(path: string): AnswerName | null {
  for (const name in ANSWERS) if (ANSWERS[name as AnswerName].test(path)) return name as AnswerName;
  return null;
}
