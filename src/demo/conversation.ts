/**
 * The demo model. It quotes the last message, calls a tool when one is offered, and reports what a tool returned. So
 * a new user sees that the call arrived complete. Its answers are deterministic.
 */

export type Json = Readonly<Record<string, unknown>>;

export interface OfferedTool {
  readonly name: string;
  readonly schema: Json;
}

export interface ToolUse {
  readonly name: string;
  readonly input: Json;
}

/** `named` forces one tool; `none` forbids them; `free` leaves it to the model. */
export type ToolChoice = { readonly kind: 'free' | 'none' } | { readonly kind: 'named'; readonly name: string };

export interface Asked {
  readonly text: string;
  /**
   * Whether the last message is the result of a tool. It is then reported, instead of calling the tool again forever.
   */
  readonly fromTool: boolean;
  readonly tools: readonly OfferedTool[];
  readonly choice: ToolChoice;
  readonly parallel: boolean;
}

export interface Said {
  readonly text: string;
  readonly thinking: string;
  readonly toolUses: readonly ToolUse[];
}

/** The longest quote. Quoting a message of 32 MB would only show that the demo can be made slow. */
const QUOTE_CHARS = 4000;
const MAX_TOOL_USES = 8;
const MAX_ARGUMENTS = 32;

export function asJson(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * The text of a message's content, which is a string or a list of parts. Only one level is read: no provider nests
 * text deeper.
 */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => (typeof part === 'string' ? part : asText(asJson(part)['text'])))
    .filter((text) => text !== '')
    .join(' ');
}

/** The model's answer: tool calls, or a quote of the last message. */
export function answerTo(asked: Asked): Said {
  const toolUses = asked.fromTool ? [] : chooseTools(asked);
  const quoted = quote(asked.text);
  const text = toolUses.length > 0 ? '' : asked.fromTool ? `The tool said: ${quoted}` : `You said: ${quoted}`;
  return { text, thinking: `The last message has ${asked.text.length} characters; repeat it.`, toolUses };
}

function chooseTools({ text, tools, choice, parallel }: Asked): readonly ToolUse[] {
  if (choice.kind === 'none' || tools.length === 0) return [];
  const wanted = tools.filter((tool) =>
    choice.kind === 'named' ? tool.name === choice.name : text.includes(tool.name),
  );
  const first = tools[0];
  if (wanted.length === 0 && choice.kind === 'free' && first !== undefined) wanted.push(first);
  return wanted
    .slice(0, parallel ? MAX_TOOL_USES : 1)
    .map((tool) => ({ name: tool.name, input: argumentsFor(tool.schema, text) }));
}

/** One plausible value for each top-level property of the schema. Nested objects stay empty. */
function argumentsFor(schema: Json, text: string): Json {
  const properties = Object.entries(asJson(schema['properties'])).slice(0, MAX_ARGUMENTS);
  return Object.fromEntries(properties.map(([name, property]) => [name, valueFor(asJson(property), text)]));
}

function valueFor(property: Json, text: string): unknown {
  const allowed = asList(property['enum']);
  if (allowed.length > 0) return allowed[0];
  switch (property['type']) {
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return quote(text);
  }
}

function quote(text: string): string {
  if (text.length <= QUOTE_CHARS) return text;
  const cut = text.slice(0, QUOTE_CHARS);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** The pieces of a streamed answer: words with the whitespace after them. */
export function pieces(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** Tool arguments are streamed in fragments that are not valid JSON on their own, as by real providers. */
export function fragments(json: string): readonly string[] {
  return json.match(/.{1,12}/gsu) ?? [];
}

/** An estimate of four characters per token, which is close enough for a usage figure that nobody pays for. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}
