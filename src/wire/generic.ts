/**
 * The grammar for unknown endpoints. Common keys have their usual meaning, and so have those of Gemini, Cohere and
 * Bedrock. But a role that makes the policy more lenient, such as `system`, `model` or `CHATBOT`, is not trusted: the
 * text is `other`.
 */
import { contentWith, DEFINITIONS, items } from './content.ts';
import { node, type GrammarNode } from './grammar-node.ts';

/** Roles that make the policy no more lenient. Cohere writes them in capitals. */
const SPEAKERS = {
  user: 'user',
  USER: 'user',
  tool: 'tool_result',
  TOOL: 'tool_result',
  function: 'tool_result',
} as const;

/** Further keys of a message: `parts` is Gemini's, `message` and `snippet` are Cohere's. */
const TEXTS = ['parts', 'message', 'snippet'];
/** What a function answered, in the words of Gemini and of Bedrock. */
const RESULTS = inAnyCase(['functionResponse', 'function_response', 'codeExecutionResult', 'toolResult']);

const content = contentWith({}, TEXTS, {}, RESULTS);
const textBy = content.by;

const userItems = items(SPEAKERS, {}, {}, content);
const messages = { ...userItems, role: null };
const user = textBy('user');
/** What the application says, if the sender is to be believed. */
const application = textBy('other', { isMessage: true });

const keys = new Map<string, GrammarNode>();
const setAll = (names: readonly string[], at: GrammarNode): void =>
  inAnyCase(names).forEach((name) => keys.set(name, at));
setAll(['messages', 'contents', 'chat_history'], messages);
setAll(['input'], userItems);
setAll(['prompt'], textBy('user', { mayBeTokenIds: true }));
setAll(['query', 'question', 'message', 'inputText', 'inputs', 'texts', 'content'], user);
setAll(['system', 'systemInstruction', 'system_instruction', 'preamble'], application);
setAll(['documents'], textBy('document', { isMessage: true }));
setAll(['tool_results'], textBy('tool_result', { isMessage: true }));
setAll(['context'], node({ mayBeTokenIds: true }));
setAll(['tools'], { ...DEFINITIONS, role: 'other' });

export const generic: GrammarNode = node({ isText: true, keys });
/** Batches hold whole bodies. */
setAll(['requests', 'instances', 'generateContentRequest'], node({ keys }));

/** Each name also in small letters, in which keys of other cases are looked up. */
function inAnyCase(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, name.toLowerCase()]);
}
