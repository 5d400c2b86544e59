/**
 * Request grammars of the clouds that serve models of many makers: Gemini and Vertex, Bedrock, Cohere, SageMaker,
 * Databricks, Cloudflare, Replicate and watsonx. At most of their endpoints the form of a body depends on the model
 * that is asked, so one grammar has the keys of all of them.
 */
import { commonKeys } from './common-keys.ts';
import type { Endpoint } from './endpoint.ts';
import { node, type GrammarNode } from './grammar-node.ts';

const asked = commonKeys({
  speakers: {
    system: 'system',
    SYSTEM: 'system',
    developer: 'developer',
    user: 'user',
    USER: 'user',
    assistant: 'assistant',
    model: 'assistant',
    CHATBOT: 'assistant',
    tool: 'tool_result',
    TOOL: 'tool_result',
    function: 'tool_result',
  },
  application: 'system',
  definitions: 'tool_definition',
});

/** Bedrock counts the tokens of a body, and Replicate asks a model, under a key that holds that body. */
const enclosed = node({ keys: { input: node({ keys: new Map([...asked.keys, ['converse', asked]]) }) } });

/** In small letters: that is how a path is read when its own spelling matches no endpoint. */
const PATHS: readonly (readonly [path: RegExp, root: GrammarNode])[] = [
  [/:((stream|batch)?generatecontent|counttokens|embedcontent|batchembedcontents)$/, asked],
  [/:((serverstreaming)?predict|(stream)?rawpredict)$/, asked],
  [/\/(cachedcontents(\/[^/]+)?|interactions)$/, asked],
  [/\/model\/[^/]+\/(converse(-stream)?|invoke(-with-response-stream)?)$/, asked],
  [/\/model\/[^/]+\/count-tokens$/, enclosed],
  [/\/invocations(-response-stream)?$/, asked],
  [/\/(v\d+\/chat|text\/(chat|generation)(_stream)?)$/, asked],
  [/\/(ai\/run|workers-ai)\/.+$/, asked],
  [/\/predictions$/, enclosed],
];

export const clouds: readonly Endpoint[] = PATHS.map(([path, root]) => ({ path, root }));
