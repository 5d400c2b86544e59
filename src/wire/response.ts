/**
 * The response grammars: where the words of the model are in a response.
 *
 * Unlike in a request, not every string is read. Responses contain ids, signatures, ciphertext and legitimate
 * secrets of the provider, and they echo the instructions and tools of the request. None of these are words of the
 * model. So only endpoints that answer with text are read, and of these all strings except the ones above. The
 * arguments of tools, and the objects that a model answers with, are read with all their keys: these are not the API's.
 */
import { modelEndpointAt, type ModelEndpoint } from '../domain/model-endpoints.ts';
import type { Role } from '../domain/passage.ts';
import { CONTENT, contentWith, type Content } from './content.ts';
import type { Grammar } from './grammars.ts';
import { OPAQUE_NODE, recursiveNode, type Keys, type GrammarNode, type NodeFields } from './grammar-node.ts';
import { memoize } from './memoize.ts';

/** Names of events such as `message-end` read like the marks by which a prompt is said to end. */
const HIDDEN_KEYS = (
  'type object created created_at completed_at expires_at model system_fingerprint status role obfuscation signature fingerprint ' +
  'embedding embeddings logprobs token bytes b64_json partial_image_b64 prompt_cache_key next_page client_secret ' +
  'fallback_credit_token usage service_tier provider finish_reason native_finish_reason stop_reason done_reason ' +
  'thoughtSignature thought_signature modelVersion responseId finishReason usageMetadata safetyRatings logprobsResult'
).split(' ');

const opaque = (keys: readonly string[]): Keys => Object.fromEntries(keys.map((key) => [key, OPAQUE_NODE]));
const isId = (key: string): boolean => key === 'id' || key.endsWith('_id') || key.startsWith('encrypted_');

/** Keys of text that occur only in responses, above all in the frames of a stream. */
const TEXT_KEYS = [
  'delta',
  'partial_json',
  'response',
  'completion',
  'output_text',
  'generated_text',
  'generation',
  'outputText',
  'tool_plan',
  'value',
  'cited_text',
  'name',
] as const;

const toolArguments = contentWith({ isArguments: true }).by('assistant');
/** What a model calls a tool with, by provider. */
const ARGUMENT_KEYS = ['arguments', 'input', 'args', 'parameters', 'partialArgs', 'action'].map(
  (key) => [key, toolArguments] as const,
);
/** Digits of sound. What is said is told in words beside them. */
const SOUND = recursiveNode({
  isOpaqueKey: (key) => key === 'data' || isId(key),
  keys: { transcript: CONTENT.by('assistant') },
});
const outputWith = (others: Keys): Content =>
  contentWith(
    { isOpaqueKey: isId },
    {
      texts: TEXT_KEYS,
      others: { ...opaque(HIDDEN_KEYS), ...Object.fromEntries(ARGUMENT_KEYS), audio: SOUND, ...others },
    },
  );
const modelOutput = outputWith({});
/** Where a model answers with an object, it fills in the caller's schema as it fills in that of a tool. */
const answer: GrammarNode = { ...toolArguments, isArguments: false };

/** Keys under which a response repeats parts of its request. */
const ECHOES = ['instructions', 'tools', 'tool_choice', 'prompt', 'text', 'metadata', 'reasoning', 'context'] as const;

/** The same of a run, a thread or a conversation. */
const ECHOES_OF_STORED = ['instructions', 'tools', 'metadata', 'context'] as const;
/** Where lists of stored objects stand, in the words of OpenAI and of Mistral. */
const STORED_LISTS = ['data', 'entries', 'messages'] as const;

/**
 * The outermost object. At this level `output` is written by the model; at deeper levels it is the result of a tool.
 */
function outermost(role: Role, more: Keys = {}, output = modelOutput, fields: NodeFields = {}): GrammarNode {
  const place = output.by(role, { isOpaqueKey: isId, ...fields });
  return { ...place, isText: false, keys: new Map([...place.keys, ['output', place], ...Object.entries(more)]) };
}

const outputWithEchoes = outermost('assistant', opaque(ECHOES));
/** The roles of those who ask. What has such a role in an answer is told back, often from an earlier request. */
const ASKING: ReadonlySet<string> = new Set(['user', 'system', 'developer']);
/** Objects that the API stores: messages of all who take part, and what the application said about them. */
const stored: GrammarNode = outermost('assistant', opaque([...ECHOES_OF_STORED]), modelOutput, {
  isMessage: true,
  echoes: ASKING,
});
/** One of them, or a list. */
const STORED: GrammarNode = {
  ...stored,
  keys: new Map([...stored.keys, ...STORED_LISTS.map((key) => [key, stored] as const)]),
};

/** In a stream the whole response is also sent inside an event, under `response`. */
const responses: GrammarNode = {
  ...outermost('assistant'),
  keys: new Map([
    ...outputWithEchoes.keys,
    ['response', outputWithEchoes],
    ['text', outermost('assistant')],
    ['data', stored],
  ]),
};
const outputOnly = outermost('assistant', { context: OPAQUE_NODE });
const thirdParty = outermost('document', { search_query: OPAQUE_NODE });

/** Text Generation Inference and its like stream their text under it, wherever they are hosted. */
const token = modelOutput.by('assistant');
/** Answers of a hosted model of any kind, which may be vectors: numbers beside no name are none of the model's words. */
const predictions: GrammarNode = { ...answer, isText: false };

const PLACES = {
  completions: outputOnly,
  responses,
  messages: outputOnly,
  'batch results': outputOnly,
  complete: outputOnly,
  ollama: outputOnly,
  conversations: STORED,
  threads: STORED,
  sessions: outputOnly,
  gemini: outermost('assistant', { ...opaque(['input', 'system_instruction', 'tools']), predictions }),
  operations: outputOnly,
  download: outputOnly,
  // `p` is padding of random length, against guesses from the length of an event.
  bedrock: outermost('assistant', { ...opaque(['context', 'p']), token, predictions }),
  agents: outermost('assistant', opaque(['p']), outputWith({ document: answer })),
  cloudflare: outermost('assistant', { context: OPAQUE_NODE }, outputWith({ response: answer })),
  cortex: outermost('assistant', { context: OPAQUE_NODE }, outputWith({ raw_message: answer })),
  replicate: outermost('assistant', { ...opaque(['input']), output: answer }),
  chat: outermost('assistant', opaque(['chat_history', 'prompt', 'event_type'])),
  generate: outermost('assistant', { ...opaque(['prompt', 'generation_settings']), token }),
  'file content': outputOnly,
  images: outputOnly,
  decisions: outputOnly,
  transcripts: thirdParty,
  search: thirdParty,
  ocr: thirdParty,
  evaluations: outputOnly,
  web: thirdParty,
} satisfies Record<ModelEndpoint, GrammarNode>;

/** The grammar of an endpoint's responses, or null where no text of a model is expected. */
export const responseGrammarOf: (path: string) => Grammar | null = (path) => grammarAt(path).grammar;

const grammarAt = memoize((path): { readonly grammar: Grammar | null } => {
  const name = modelEndpointAt(path);
  return {
    grammar:
      name === null
        ? null
        : {
            root: PLACES[name],
            caseless: false,
            isKnown: true,
            isFile: name === 'file content' || name === 'download',
          },
  };
});
