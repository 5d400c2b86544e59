/**
 * The grammar for unknown endpoints. Common keys have their usual meaning, and so have those of Gemini, Cohere and
 * Bedrock. But a role that makes the policy more lenient, such as `system`, `model` or `CHATBOT`, is not trusted: the
 * text is `other`.
 */
import { contentWith, DEFINITIONS, items } from './content.ts';
import { place, type Place } from './place.ts';

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

const spoken = items(SPEAKERS, {}, {}, content);
const dialogue = { ...spoken, role: null };
const user = textBy('user');
/** What the application says, if the sender is to be believed. */
const application = textBy('other', { message: true });

const keys = new Map<string, Place>();
const put = (names: readonly string[], at: Place): void => inAnyCase(names).forEach((name) => keys.set(name, at));
put(['messages', 'contents', 'chat_history'], dialogue);
put(['input'], spoken);
put(['prompt'], textBy('user', { tokens: true }));
put(['query', 'question', 'message', 'inputText', 'inputs', 'texts', 'content'], user);
put(['system', 'systemInstruction', 'system_instruction', 'preamble'], application);
put(['documents'], textBy('document', { message: true }));
put(['tool_results'], textBy('tool_result', { message: true }));
put(['context'], place({ tokens: true }));
put(['tools'], { ...DEFINITIONS, role: 'other' });

export const generic: Place = place({ text: true, keys });
/** Batches hold whole bodies. */
put(['requests', 'instances', 'generateContentRequest'], place({ keys }));

/** Each name also in small letters, in which keys of other cases are looked up. */
function inAnyCase(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, name.toLowerCase()]);
}
