/**
 * POST /api/chat and /api/generate, which stream JSON lines unless told not to, and the lists that a client requests.
 */
import { answerTo, asJson, asList, asText, pieces, textOf, tokensIn } from './conversation.ts';
import type { Json, Said } from './conversation.ts';
import { invalid, json, jsonLine } from './reply.ts';
import type { Call, Reply } from './reply.ts';

export const OLLAMA_MODELS = ['demo:latest', 'demo-slow:latest'] as const;

export function chat({ body, ids, now }: Call): Reply {
  const messages = asList(body['messages']).map(asJson);
  const last = messages.findLast(({ role }) => role === 'user' || role === 'tool') ?? {};
  const said = answerTo({
    text: textOf(last['content']),
    fromTool: last['role'] === 'tool',
    tools: asList(body['tools'])
      .map((tool) => asJson(asJson(tool)['function']))
      .map((definition) => ({ name: asText(definition['name']), schema: asJson(definition['parameters']) })),
    choice: { kind: 'free' },
    parallel: true,
  });
  const calls = said.toolUses.map(({ name, input }, index) => ({
    id: ids.letters('call_', 8, String(index)).toLowerCase(),
    function: { index, name, arguments: input },
  }));
  const thinking = wantsThinking(body) ? said.thinking : '';
  return linesOrWhole(body, now, {
    parts: [
      ...pieces(thinking).map((part) => message({ thinking: part })),
      ...pieces(said.text).map((part) => message({ content: part })),
      ...calls.map((call) => message({ tool_calls: [call] })),
    ],
    empty: message({}),
    whole: message({
      content: said.text,
      ...(thinking === '' ? {} : { thinking }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    }),
    trailer: figures(messages.map(({ content }) => textOf(content)).join(' '), said),
  });
}

function message(fields: Json): Json {
  return { message: { role: 'assistant', content: '', ...fields } };
}

export function generate({ body, now }: Call): Reply {
  const prompt = asText(body['prompt']);
  const said = answerTo({ text: prompt, fromTool: false, tools: [], choice: { kind: 'none' }, parallel: false });
  const thinking = wantsThinking(body) ? said.thinking : '';
  return linesOrWhole(body, now, {
    parts: [
      ...pieces(thinking).map((part) => ({ response: '', thinking: part })),
      ...pieces(said.text).map((part) => ({ response: part })),
    ],
    empty: { response: '' },
    whole: { response: said.text, ...(thinking === '' ? {} : { thinking }) },
    trailer: { ...figures(prompt, said), context: [1, 2, 3] },
  });
}

interface Shaped {
  /** What each streamed line adds. */
  readonly parts: readonly Json[];
  /** The same field without content, for the last line, which only reports the end. */
  readonly empty: Json;
  readonly whole: Json;
  readonly trailer: Json;
}

function linesOrWhole(body: Json, now: number, { parts, empty, whole, trailer }: Shaped): Reply {
  const model = asText(body['model']);
  if (model === '') return invalid('model is required');
  const common = { model, created_at: new Date(now).toISOString() };
  const done = { done: true, done_reason: 'stop', ...trailer };
  if (body['stream'] === false) return json({ ...common, ...whole, ...done });
  const lines = [...parts.map((part) => ({ ...common, ...part, done: false })), { ...common, ...empty, ...done }];
  return { kind: 'stream', contentType: 'application/x-ndjson', frames: lines.map(jsonLine) };
}

export function tags({ now }: Call): Reply {
  const models = OLLAMA_MODELS.map((name) => ({
    name,
    model: name,
    modified_at: new Date(now).toISOString(),
    size: 1_048_576,
    digest: '0'.repeat(64),
    details: {
      parent_model: '',
      format: 'gguf',
      family: 'demo',
      families: ['demo'],
      parameter_size: '1K',
      quantization_level: 'F16',
    },
  }));
  return json({ models });
}

export function version(): Reply {
  return json({ version: '0.0.0-demo' });
}

function wantsThinking(body: Json): boolean {
  return body['think'] !== undefined && body['think'] !== false;
}

/** Durations in nanoseconds, derived from the token counts alone: with measured ones, two equal calls would differ. */
function figures(prompt: string, said: Said): Json {
  const promptTokens = tokensIn(prompt);
  const tokens = tokensIn(said.text) + said.toolUses.reduce((sum, use) => sum + tokensIn(JSON.stringify(use)), 0);
  return {
    total_duration: (promptTokens + 10 * tokens) * 1_000_000,
    load_duration: 1_000_000,
    prompt_eval_count: promptTokens,
    prompt_eval_duration: promptTokens * 1_000_000,
    eval_count: tokens,
    eval_duration: tokens * 10_000_000,
  };
}
