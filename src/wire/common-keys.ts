/**
 * The grammar of bodies whose form the path does not tell. Common keys have their usual meaning, and so have those of
 * Gemini, Cohere and Bedrock, which call the same things by other names.
 */
import type { Role } from '../domain/passage.ts';
import { contentWith, DEFINITIONS, items, type Speakers } from './content.ts';
import { node, type GrammarNode } from './grammar-node.ts';

/** Who is believed to have written what. */
export interface Voices {
  /** By the values of `role`. Who is not in it, or names no role, is `other`. */
  readonly speakers: Speakers;
  /** What stands where the application speaks. */
  readonly application: Role;
  readonly definitions: Role;
}

/** Further keys of a message: `parts` is Gemini's, `message` and `snippet` are Cohere's. */
const TEXTS = ['parts', 'message', 'snippet'];
/** What a function or a tool answered, in the words of Gemini and of Bedrock. */
const RESULTS = inAnyCase([
  'functionResponse',
  'function_response',
  'codeExecutionResult',
  'toolResponse',
  'tool_response',
  'toolResult',
]);
/** What others wrote, in the words of Bedrock and of Gemini. */
const DOCUMENTS = inAnyCase(['document', 'searchResult', 'rendered_content']);

const content = contentWith({}, { texts: TEXTS, results: RESULTS, documents: DOCUMENTS });
const textBy = content.by;
const user = textBy('user');

export function commonKeys({ speakers, application, definitions }: Voices): GrammarNode {
  const userItems = items(speakers, {}, {}, content);
  const says = textBy(application, { isMessage: true });
  const keys = new Map<string, GrammarNode>();
  const setAll = (names: readonly string[], at: GrammarNode): void =>
    inAnyCase(names).forEach((name) => keys.set(name, at));
  setAll(['messages', 'contents', 'chat_history'], { ...userItems, role: null });
  setAll(['input'], userItems);
  setAll(['prompt'], textBy('user', { mayBeTokenIds: true }));
  setAll(['query', 'question', 'message', 'inputText', 'inputs', 'texts', 'content'], user);
  setAll(['system', 'systemInstruction', 'system_instruction', 'system_prompt', 'preamble'], says);
  setAll(['documents'], textBy('document', { isMessage: true }));
  setAll(['tool_results'], textBy('tool_result', { isMessage: true }));
  setAll(['context'], node({ mayBeTokenIds: true }));
  setAll(['tools', 'toolConfig'], { ...DEFINITIONS, role: definitions });
  // Batches hold whole bodies.
  const body = node({ keys });
  setAll(['requests', 'request', 'instances', 'generateContentRequest', 'batch', 'inputConfig', 'input_config'], body);
  return node({ isText: true, keys });
}

/** Each name also in small letters, in which keys of other cases are looked up. */
function inAnyCase(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, name.toLowerCase()]);
}
