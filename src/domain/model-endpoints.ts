import { plainPath } from './plain-path.ts';

/**
 * The endpoints whose responses are the output of a model. Only these are scanned. Others return keys, files and
 * settings, which legitimately hold secrets, and a proxy that withheld those would break the application that it
 * protects.
 */
export const MODEL_ENDPOINTS = {
  // Before `messages`, which a thread has, too.
  threads: /\/threads\/.+$/,
  completions: /\/(chat\/)?completions(\/[^/]+(\/messages)?)?$|\/chat\/deferred-completion\/[^/]+$/,
  responses: /\/responses(\/compact|\/[^/]+(\/(input_items|cancel))?)?$/,
  messages: /\/messages(\/[^/]+)?$/,
  'batch results': /\/messages\/batches\/[^/]+\/results$/,
  complete: /\/complete$/,
  ollama: /\/api\/(generate|chat)$/,
  conversations: /\/conversations(\/[^/]+(\/(restart|history|items(\/[^/]+)?))?)?$/,
  gemini: /:((stream)?(generatecontent|rawpredict)|(serverstreaming)?predict)$|\/interactions(\/[^/]+(\/cancel)?)?$/,
  // Results of batches of Gemini, in the operation or in a file.
  operations: /\/v1[a-z0-9]{0,12}\/batches\/[^/:]+$|\/operations\/[^/:]+$/,
  download: /\/files\/[^/]+:download$/,
  bedrock: /\/model\/[^/]+\/(converse(-stream)?|invoke(-with-response-stream)?)$|\/invocations(-response-stream)?$/,
  // The answers of agents, knowledge bases and flows of Bedrock.
  agents:
    /\/agents\/[^/]+(\/agentaliases\/[^/]+\/sessions\/[^/]+\/text)?$|\/retrieveandgenerate(stream)?$|\/flows\/[^/]+\/aliases\/[^/]+$/,
  cloudflare: /\/(ai\/run|workers-ai)\/.+$/,
  cortex: /\/cortex\/(inference:complete|agents?:run)$/,
  replicate: /\/predictions(\/[^/]+(\/cancel)?)?$/,
  chat: /\/(v\d+\/chat|text\/chat(_stream)?)$/,
  generate: /\/(generate(_stream)?|generate\/(stream|check)|completion|infill|summarize|text\/generation(_stream)?)$/,
  sessions: /\/sessions\/[^/]+\/(events(\/stream)?|threads\/.+)$/,
  'file content': /\/files\/[^/]+\/content$/,
  images: /\/images\/(generations|edits|variations)$/,
  decisions: /\/decisions$/,
  transcripts: /\/audio\/(transcriptions|translations)$/,
  search: /\/(vector_stores\/[^/]+|documents)\/search$|\/knowledgebases\/[^/]+\/retrieve$/,
  ocr: /\/ocr$/,
  evaluations: /\/evals\/[^/]+\/runs\/[^/]+\/output_items(\/[^/]+)?$/,
  web: /\/api\/experimental\/web_(search|fetch)$/,
} as const satisfies Record<string, RegExp>;

export type ModelEndpoint = keyof typeof MODEL_ENDPOINTS;

/**
 * Finds the endpoint regardless of how the path is spelled: a caller must not be able to avoid the scan of a response
 * by spelling the path differently.
 */
export function modelEndpointAt(path: string): ModelEndpoint | null {
  const found = endpointMatching(path);
  if (found !== null) return found;
  const plain = plainPath(path);
  // To a server that decodes before it looks for them, the path ends at an escaped `?` or `#`; to others it goes on.
  const [shorter = ''] = plain.split(/[?#]/);
  return endpointMatching(plain) ?? (shorter === plain ? null : endpointMatching(plainPath(shorter)));
}

function endpointMatching(path: string): ModelEndpoint | null {
  for (const name in MODEL_ENDPOINTS)
    if (MODEL_ENDPOINTS[name as ModelEndpoint].test(path)) return name as ModelEndpoint;
  return null;
}
