/** POST /v1/chat/completions, whole and streamed. */
import { answerTo, asJson, asList, asText, fragments, pieces, textOf, tokensIn } from './conversation.ts';
import type { Asked, Json, OfferedTool, Said, ToolChoice } from './conversation.ts';
import { dataFrame, eventStream, invalid, json } from './reply.ts';
import type { Call, Reply } from './reply.ts';

export function chatCompletion({ body, ids, now }: Call): Reply {
  const messages = asList(body['messages']).map(asJson);
  if (messages.length === 0) return invalid("Missing required parameter: 'messages'.");
  const said = answerTo(askedIn(body, messages));
  const toolCalls = said.toolUses.map(({ name, input }, index) => ({
    id: ids.letters('call_', 24, String(index)),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const usage = usageOf(messages, said);
  const finish = toolCalls.length > 0 ? 'tool_calls' : 'stop';
  const common = {
    id: ids.letters('chatcmpl-', 29),
    created: Math.floor(now / 1000),
    model: asText(body['model']),
    service_tier: 'default',
    system_fingerprint: 'fp_demo000001',
  };

  if (body['stream'] !== true) {
    const message = {
      role: 'assistant',
      content: toolCalls.length > 0 ? null : said.text,
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
      refusal: null,
      annotations: [],
    };
    const choice = { index: 0, message, logprobs: null, finish_reason: finish };
    return json({ ...common, object: 'chat.completion', choices: [choice], usage });
  }

  const wantsUsage = asJson(body['stream_options'])['include_usage'] === true;
  const chunk = (delta: unknown, finishReason: string | null) =>
    dataFrame({
      ...common,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...(wantsUsage ? { usage: null } : {}),
    });
  const frames = [chunk({ role: 'assistant', content: toolCalls.length > 0 ? null : '', refusal: null }, null)];
  for (const content of pieces(said.text)) frames.push(chunk({ content }, null));
  for (const [index, call] of toolCalls.entries()) {
    const { name, arguments: whole } = call.function;
    frames.push(chunk({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] }, null));
    for (const part of fragments(whole))
      frames.push(chunk({ tool_calls: [{ index, function: { arguments: part } }] }, null));
  }
  frames.push(chunk({}, finish));
  if (wantsUsage) frames.push(dataFrame({ ...common, object: 'chat.completion.chunk', choices: [], usage }));
  frames.push('data: [DONE]\n\n');
  return eventStream(frames);
}

function askedIn(body: Json, messages: readonly Json[]): Asked {
  const last = messages.findLast(({ role }) => role === 'user' || role === 'tool') ?? {};
  return {
    text: textOf(last['content']),
    fromTool: last['role'] === 'tool',
    tools: asList(body['tools']).map(toolOf),
    choice: choiceOf(body['tool_choice']),
    parallel: body['parallel_tool_calls'] !== false,
  };
}

function toolOf(tool: unknown): OfferedTool {
  const definition = asJson(asJson(tool)['function']);
  return { name: asText(definition['name']), schema: asJson(definition['parameters']) };
}

function choiceOf(choice: unknown): ToolChoice {
  if (choice === 'none') return { kind: 'none' };
  const name = asText(asJson(asJson(choice)['function'])['name']);
  return name === '' ? { kind: 'free' } : { kind: 'named', name };
}

function usageOf(messages: readonly Json[], said: Said) {
  const prompt = messages.reduce((sum, { content }) => sum + tokensIn(textOf(content)) + 3, 0);
  const completion = tokensIn(said.text) + said.toolUses.reduce((sum, use) => sum + tokensIn(JSON.stringify(use)), 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}
