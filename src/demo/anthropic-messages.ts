/** POST /v1/messages, whole and streamed, and its count_tokens. */
import { answerTo, asJson, asList, asText, fragments, pieces, textOf, tokensIn } from './conversation.ts';
import type { Asked, Json, ToolChoice } from './conversation.ts';
import { eventStream, invalid, json, typedFrame } from './reply.ts';
import type { Call, Reply } from './reply.ts';

type Block =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: Json };

export function createMessage({ body, ids }: Call): Reply {
  const messages = asList(body['messages']).map(asJson);
  if (typeof body['max_tokens'] !== 'number') return invalid('max_tokens: Field required');
  if (messages.length === 0) return invalid('messages: at least one message is required');
  const said = answerTo(askedIn(body, messages));
  const content: readonly Block[] = [
    ...(asJson(body['thinking'])['type'] === 'enabled'
      ? [{ type: 'thinking', thinking: said.thinking, signature: ids.letters('Eq', 60) } as const]
      : []),
    ...(said.text === '' ? [] : [{ type: 'text', text: said.text } as const]),
    ...said.toolUses.map(
      ({ name, input }, index) =>
        ({ type: 'tool_use', id: ids.letters('toolu_01', 22, String(index)), name, input }) as const,
    ),
  ];
  const stopReason = said.toolUses.length > 0 ? 'tool_use' : 'end_turn';
  const usage = {
    input_tokens: inputTokens(body, messages),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: tokensIn(JSON.stringify(content)),
    service_tier: 'standard',
  };
  const message = {
    id: ids.letters('msg_01', 22),
    type: 'message',
    role: 'assistant',
    model: asText(body['model']),
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage,
  };
  if (body['stream'] !== true) return json(message);

  const opening = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  const blocks = content.map(blockEvents);
  // As with the real API, a keep-alive follows the start of the first block. Clients must skip it in the middle of a
  // message.
  blocks[0]?.splice(1, 0, { type: 'ping' });
  const events = [
    { type: 'message_start', message: opening },
    ...blocks.flat(),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    },
    { type: 'message_stop' },
  ];
  return eventStream(events.map(typedFrame));
}

export function countTokens({ body }: Call): Reply {
  const messages = asList(body['messages']).map(asJson);
  if (messages.length === 0) return invalid('messages: at least one message is required');
  return json({ input_tokens: inputTokens(body, messages) });
}

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

function blockEvents(block: Block, index: number): Event[] {
  const start = (content_block: unknown): Event => ({ type: 'content_block_start', index, content_block });
  const delta = (delta: unknown): Event => ({ type: 'content_block_delta', index, delta });
  const stop: Event = { type: 'content_block_stop', index };
  switch (block.type) {
    case 'thinking':
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...pieces(block.thinking).map((thinking) => delta({ type: 'thinking_delta', thinking })),
        delta({ type: 'signature_delta', signature: block.signature }),
        stop,
      ];
    case 'text':
      return [
        start({ type: 'text', text: '' }),
        ...pieces(block.text).map((text) => delta({ type: 'text_delta', text })),
        stop,
      ];
    case 'tool_use':
      return [
        start({ ...block, input: {} }),
        ...fragments(JSON.stringify(block.input)).map((part) =>
          delta({ type: 'input_json_delta', partial_json: part }),
        ),
        stop,
      ];
  }
}

function askedIn(body: Json, messages: readonly Json[]): Asked {
  const last = messages.findLast(({ role }) => role === 'user') ?? {};
  const results = asList(last['content'])
    .map(asJson)
    .filter(({ type }) => type === 'tool_result');
  const choice = asJson(body['tool_choice']);
  return {
    text: results.length > 0 ? results.map(({ content }) => textOf(content)).join(' ') : textOf(last['content']),
    fromTool: results.length > 0,
    tools: asList(body['tools'])
      .map(asJson)
      .map((tool) => ({ name: asText(tool['name']), schema: asJson(tool['input_schema']) })),
    choice: choiceOf(choice),
    parallel: choice['disable_parallel_tool_use'] !== true,
  };
}

function choiceOf(choice: Json): ToolChoice {
  if (choice['type'] === 'none') return { kind: 'none' };
  return choice['type'] === 'tool' ? { kind: 'named', name: asText(choice['name']) } : { kind: 'free' };
}

function inputTokens(body: Json, messages: readonly Json[]): number {
  const system = tokensIn(textOf(body['system']));
  return messages.reduce((sum, { content }) => sum + tokensIn(textOf(content)) + 3, system);
}
