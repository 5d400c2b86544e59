/** POST /v1/responses, whole and streamed. */
import { answerTo, asJson, asList, asText, fragments, pieces, textOf, tokensIn } from './conversation.ts';
import type { Asked, Json, OfferedTool, ToolChoice } from './conversation.ts';
import { eventStream, invalid, json, typedFrame } from './reply.ts';
import type { Call, Reply } from './reply.ts';

export function createResponse({ body, ids, now }: Call): Reply {
  if (body['input'] === undefined) return invalid("Missing required parameter: 'input'.");
  const asked = askedIn(body);
  const said = answerTo(asked);
  const output: readonly Item[] =
    said.toolUses.length > 0
      ? said.toolUses.map(({ name, input }, index) => ({
          id: ids.hex('fc_', 48, String(index)),
          type: 'function_call',
          status: 'completed',
          arguments: JSON.stringify(input),
          call_id: ids.letters('call_', 24, String(index)),
          name,
        }))
      : [
          {
            id: ids.hex('msg_', 48),
            type: 'message',
            status: 'completed',
            content: [textPart(said.text)],
            role: 'assistant',
          },
        ];
  const spent = { input: tokensIn(JSON.stringify(body['input'])), output: tokensIn(JSON.stringify(output)) };
  const shell = {
    id: ids.hex('resp_', 48),
    object: 'response',
    created_at: Math.floor(now / 1000),
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    model: asText(body['model']),
    output: [],
    parallel_tool_calls: asked.parallel,
    previous_response_id: body['previous_response_id'] ?? null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: body['store'] !== false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: asList(body['tools']),
    top_p: 1,
    truncation: 'disabled',
    usage: null,
    metadata: asJson(body['metadata']),
  };
  const usage = {
    input_tokens: spent.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: spent.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: spent.input + spent.output,
  };
  const finished = { ...shell, status: 'completed', output, usage };
  if (body['stream'] !== true) return json(finished);

  const events: Event[] = [
    { type: 'response.created', response: shell },
    { type: 'response.in_progress', response: shell },
  ];
  for (const [index, item] of output.entries()) {
    events.push(...(item.type === 'message' ? messageEvents(item, index) : callEvents(item, index)));
  }
  events.push({ type: 'response.completed', response: finished });
  return eventStream(events.map((event, index) => typedFrame(Object.assign(event, { sequence_number: index }))));
}

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface MessageItem {
  readonly id: string;
  readonly type: 'message';
  readonly status: string;
  readonly content: readonly ReturnType<typeof textPart>[];
  readonly role: string;
}

interface CallItem {
  readonly id: string;
  readonly type: 'function_call';
  readonly status: string;
  readonly arguments: string;
  readonly call_id: string;
  readonly name: string;
}

type Item = MessageItem | CallItem;

function textPart(text: string) {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}

function* messageEvents(item: MessageItem, index: number): Generator<Event> {
  const at = { item_id: item.id, output_index: index, content_index: 0 };
  const part = item.content[0] ?? textPart('');
  const opened = { ...item, status: 'in_progress', content: [] };
  yield { type: 'response.output_item.added', output_index: index, item: opened };
  yield { type: 'response.content_part.added', ...at, part: textPart('') };
  for (const delta of pieces(part.text)) yield { type: 'response.output_text.delta', ...at, delta, logprobs: [] };
  yield { type: 'response.output_text.done', ...at, text: part.text, logprobs: [] };
  yield { type: 'response.content_part.done', ...at, part };
  yield { type: 'response.output_item.done', output_index: index, item };
}

function* callEvents(item: CallItem, index: number): Generator<Event> {
  const at = { item_id: item.id, output_index: index };
  const opened = { ...item, status: 'in_progress', arguments: '' };
  yield { type: 'response.output_item.added', output_index: index, item: opened };
  for (const delta of fragments(item.arguments)) yield { type: 'response.function_call_arguments.delta', ...at, delta };
  yield { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: item.arguments };
  yield { type: 'response.output_item.done', output_index: index, item };
}

function askedIn(body: Json): Asked {
  const items = asList(body['input']).map(asJson);
  const last = items.findLast(({ type, role }) => type === 'function_call_output' || role === 'user') ?? {};
  const fromTool = last['type'] === 'function_call_output';
  const text = typeof body['input'] === 'string' ? body['input'] : textOf(fromTool ? last['output'] : last['content']);
  return {
    text,
    fromTool,
    tools: asList(body['tools'])
      .map(asJson)
      .filter(({ type }) => type === 'function')
      .map(toolOf),
    choice: choiceOf(body['tool_choice']),
    parallel: body['parallel_tool_calls'] !== false,
  };
}

function toolOf(tool: Json): OfferedTool {
  return { name: asText(tool['name']), schema: asJson(tool['parameters']) };
}

function choiceOf(choice: unknown): ToolChoice {
  if (choice === 'none') return { kind: 'none' };
  const name = asText(asJson(choice)['name']);
  return name === '' ? { kind: 'free' } : { kind: 'named', name };
}
