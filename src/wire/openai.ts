/** Request grammars of the OpenAI API, and of the many APIs compatible with it (OpenRouter, vLLM, Ollama under /v1). */
import { contentWith, DEFINITIONS, items, messages, STORED_REFERENCE, textBy } from './content.ts';
import type { Endpoint } from './endpoint.ts';
import { recursiveNode, UNKNOWN_NODE, node, type Keys } from './grammar-node.ts';

const CHAT_SPEAKERS = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool_result',
  function: 'tool_result',
} as const;

const user = textBy('user', { mayBeTokenIds: true });
const system = textBy('system');
const tools = { tools: DEFINITIONS, functions: DEFINITIONS };

/** Documents to rank, or to base an answer on. They are written by third parties. */
const documents = textBy('document', { isMessage: true });

/** The `context` of an answer of Azure is what it was based on. */
const chat = messages(CHAT_SPEAKERS, { context: textBy('document') });

/** The `input` of /responses: the type of an item says who wrote it. */
const ITEM_TYPES = {
  function_call: 'assistant',
  custom_tool_call: 'assistant',
  reasoning: 'assistant',
  compaction: 'assistant',
  computer_call: 'assistant',
  web_search_call: 'assistant',
  file_search_call: 'assistant',
  code_interpreter_call: 'assistant',
  image_generation_call: 'assistant',
  local_shell_call: 'assistant',
  shell_call: 'assistant',
  apply_patch_call: 'assistant',
  tool_search_call: 'assistant',
  mcp_call: 'assistant',
  mcp_approval_request: 'assistant',
  mcp_approval_response: 'user',
  mcp_list_tools: 'tool_definition',
  function_call_output: 'tool_result',
  custom_tool_call_output: 'tool_result',
  computer_call_output: 'tool_result',
  local_shell_call_output: 'tool_result',
  shell_call_output: 'tool_result',
  apply_patch_call_output: 'tool_result',
  tool_search_output: 'tool_result',
} as const;
const { tool: _tool, function: _function, ...RESPONSES_SPEAKERS } = CHAT_SPEAKERS;
const input = items(RESPONSES_SPEAKERS, ITEM_TYPES, {
  // What a search found stands beside what the model searched for.
  action: contentWith({}, { documents: ['sources'] }).part,
  error: textBy('tool_result'),
  tools: recursiveNode({ role: 'tool_definition', otherKeys: UNKNOWN_NODE }),
});

const responses: Keys = {
  ...tools,
  instructions: system,
  input,
  personality: system,
  prompt: node({ keys: { id: STORED_REFERENCE, variables: textBy('user', { otherKeys: user }) } }),
  previous_response_id: STORED_REFERENCE,
  conversation: STORED_REFERENCE,
};

/** The `inputs` of Mistral's /conversations. */
const entries = items(
  RESPONSES_SPEAKERS,
  { 'function.call': 'assistant', 'tool.execution': 'assistant', 'function.result': 'tool_result' },
  { info: textBy('tool_result') },
);

const ASSISTANTS_SPEAKERS = { user: 'user', assistant: 'assistant' } as const;
const assistants: Keys = {
  ...tools,
  instructions: system,
  additional_instructions: system,
  messages: messages(ASSISTANTS_SPEAKERS),
  additional_messages: messages(ASSISTANTS_SPEAKERS),
  thread: node({ keys: { messages: messages(ASSISTANTS_SPEAKERS) } }),
  tool_outputs: node({ isMessage: true, keys: { output: textBy('tool_result') } }),
};

const body = (keys: Keys): Endpoint['root'] => node({ keys });

/** Where files are uploaded, each for a purpose of its own. */
export const FILES_PATH = /\/files$/;

/** A line of an uploaded file: a request of a batch, or a conversation for fine-tuning. */
export const FILE_LINE = node({
  role: 'document',
  keys: { body: body({ ...responses, messages: chat, prompt: user, input }), messages: chat, ...tools },
});

export const openai: readonly Endpoint[] = [
  { path: /\/chat\/completions$/, root: body({ ...tools, messages: chat, prompt: user }) },
  // Agents of Mistral take messages here.
  { path: /\/completions$/, root: body({ ...tools, messages: chat, prompt: user, suffix: user }) },
  { path: /\/embeddings$/, root: body({ input: user }) },
  { path: /\/moderations$/, root: body({ input: user }) },
  { path: /\/responses(\/compact|\/input_tokens)?$/, root: body(responses) },
  {
    path: /\/conversations(\/[^/]+(\/(items|restart))?)?$/,
    root: body({ ...tools, items: input, inputs: entries, instructions: system }),
  },
  { path: /\/audio\/speech$/, root: body({ input: user, instructions: textBy('other') }) },
  { path: /\/audio\/(transcriptions|translations)$/, root: body({ prompt: user }) },
  { path: /\/(images(\/(generations|edits|variations))?|videos(\/[^/]+\/remix)?)$/, root: body({ prompt: user }) },
  { path: /\/vector_stores\/[^/]+\/search$/, root: body({ query: user }) },
  { path: /\/rerank$/, root: body({ query: user, documents }) },
  { path: /\/decisions$/, root: body({ input, state: user }) },
  { path: /\/threads\/[^/]+\/messages(\/[^/]+)?$/, root: messages(ASSISTANTS_SPEAKERS) },
  {
    path: /\/(assistants(\/[^/]+)?|threads(\/runs|\/[^/]+|\/[^/]+\/runs|\/[^/]+\/runs\/[^/]+\/submit_tool_outputs)?)$/,
    root: body(assistants),
  },
];
