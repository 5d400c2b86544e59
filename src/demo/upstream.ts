/**
 * A stand-in for the LLM providers. A new user needs no API key and no network, and tests need no provider.
 *
 * One server implements all providers' formats, and the path selects one. The model name controls what it does,
 * because every format has that field and every SDK passes it on: `fail-<status>` answers with that status in the
 * provider's own error format (`fail-<status>-final` adds `x-should-retry: false`), and `slow` in the name spreads
 * the answer over time.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { countTokens, createMessage } from './anthropic-messages.ts';
import { asJson, asText } from './conversation.ts';
import type { Json } from './conversation.ts';
import { identifiersOf } from './identifiers.ts';
import { chat, generate, tags, version } from './ollama.ts';
import { chatCompletion } from './openai-chat.ts';
import { createResponse } from './openai-responses.ts';
import { anthropicModels, openaiModels, providers } from './providers.ts';
import type { Headers, Provider } from './providers.ts';
import type { Call, Reply } from './reply.ts';

export interface DemoUpstreamOptions {
  readonly port?: number;
  readonly host?: string;
  /** Accepts calls without a credential, to which real providers answer 401. */
  readonly anyKey?: boolean;
  /** The pause between two frames of a `slow` answer. */
  readonly slowMs?: number;
  /** The value of `retry-after-ms` on a requested failure. `retry-after` is the same in whole seconds, at least one. */
  readonly retryAfterMs?: number;
  readonly maxBodyBytes?: number;
  readonly now?: () => number;
}

export interface DemoRequest {
  readonly method: string;
  readonly path: string;
  readonly model: string;
  readonly status: number;
}

export interface DemoUpstream {
  readonly url: string;
  /** The calls so far, oldest first. Only the last thousand are kept. */
  readonly requests: readonly DemoRequest[];
  close(): Promise<void>;
}

interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly provider: Provider;
  readonly answer: (call: Call) => Reply;
}

const endpoints = {
  '/v1/chat/completions': { method: 'POST', provider: providers.openai, answer: chatCompletion },
  '/v1/responses': { method: 'POST', provider: providers.openai, answer: createResponse },
  '/v1/models': { method: 'GET', provider: providers.openai, answer: openaiModels },
  '/v1/messages': { method: 'POST', provider: providers.anthropic, answer: createMessage },
  '/v1/messages/count_tokens': { method: 'POST', provider: providers.anthropic, answer: countTokens },
  '/api/chat': { method: 'POST', provider: providers.ollama, answer: chat },
  '/api/generate': { method: 'POST', provider: providers.ollama, answer: generate },
  '/api/tags': { method: 'GET', provider: providers.ollama, answer: tags },
  '/api/version': { method: 'GET', provider: providers.ollama, answer: version },
} satisfies Record<string, Endpoint>;

const anthropicModelList: Endpoint = { method: 'GET', provider: providers.anthropic, answer: anthropicModels };

const KEPT_REQUESTS = 1000;
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export async function startDemoUpstream(options: DemoUpstreamOptions = {}): Promise<DemoUpstream> {
  const { port = 0, host = '127.0.0.1', anyKey = false, slowMs = 120, retryAfterMs = 1000 } = options;
  const { maxBodyBytes = MAX_BODY_BYTES, now = Date.now } = options;
  const requests: DemoRequest[] = [];

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const method = req.method ?? 'GET';
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/';
    const endpoint = endpointFor(path, req);
    const provider = endpoint?.provider ?? providerFor(path, req);
    const body = await readBody(req, maxBodyBytes);
    const ids = identifiersOf(method, path, body ?? Buffer.alloc(0));
    const parsed = body === null ? null : parse(body);
    const model = asText(parsed?.['model']);
    const settle = (status: number, headers: Headers, payload: unknown) => {
      requests.push({ method, path, model, status });
      if (requests.length > KEPT_REQUESTS) requests.shift();
      sendJson(res, status, { ...provider.headers(ids), ...headers }, payload);
    };
    const fail = (status: number, message: string, headers: Headers = {}) =>
      settle(status, headers, provider.failure(status, message, ids));

    if (body === null) return fail(413, `The body is larger than ${maxBodyBytes} bytes.`, { connection: 'close' });
    if (endpoint === undefined) return fail(404, `There is nothing at ${path}.`);
    if (method !== endpoint.method)
      return fail(405, `Only ${endpoint.method} is allowed here.`, { allow: endpoint.method });
    if (provider.needsKey && !anyKey && !hasKey(req)) return fail(401, 'No credential was sent.');
    if (method === 'POST' && parsed === null) return fail(400, 'The body is not a JSON object.');
    if (method === 'POST' && model === '') return fail(400, 'model: a name is required.');
    const asked = failureIn(model);
    if (asked !== null)
      return fail(asked.status, failureMessage(asked.status, model), retryHeaders(asked, retryAfterMs));

    const reply = endpoint.answer({ body: parsed ?? {}, ids, now: now() });
    const pauseMs = model.includes('slow') ? slowMs : 0;
    switch (reply.kind) {
      case 'invalid':
        return fail(400, reply.message);
      case 'json':
        await pause(pauseMs * 5, res);
        return settle(200, {}, reply.body);
      case 'stream':
        requests.push({ method, path, model, status: 200 });
        if (requests.length > KEPT_REQUESTS) requests.shift();
        res.writeHead(200, {
          ...provider.headers(ids),
          'content-type': reply.contentType,
          'cache-control': 'no-cache',
        });
        return sendFrames(res, reply.frames, pauseMs);
    }
  };

  const server = createServer((req, res) => {
    handle(req, res).catch(() => res.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Finds the endpoint. A routing API has the base path `/api`, and below it the paths of the other providers. */
function endpointFor(path: string, req: IncomingMessage): Endpoint | undefined {
  const plain = path.startsWith('/api/v1/') ? path.slice('/api'.length) : path;
  if (plain === '/v1/models' && speaksAnthropic(req)) return anthropicModelList;
  return Object.hasOwn(endpoints, plain) ? endpoints[plain as keyof typeof endpoints] : undefined;
}

function providerFor(path: string, req: IncomingMessage): Provider {
  if (speaksAnthropic(req)) return providers.anthropic;
  return path.startsWith('/api/') && !path.startsWith('/api/v1/') ? providers.ollama : providers.openai;
}

function speaksAnthropic(req: IncomingMessage): boolean {
  return req.headers['anthropic-version'] !== undefined;
}

function hasKey(req: IncomingMessage): boolean {
  return /^Bearer \S/.test(req.headers.authorization ?? '') || asText(req.headers['x-api-key']) !== '';
}

/**
 * The whole body, or null when it is too large. The rest is then read and discarded, so that the client can read the
 * answer.
 */
async function readBody(req: IncomingMessage, limit: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else if (size > 2 * limit) throw new Error('body far beyond the limit');
  }
  return size > limit ? null : Buffer.concat(chunks);
}

function parse(body: Buffer): Json | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? asJson(value) : null;
  } catch {
    return null;
  }
}

interface AskedFailure {
  readonly status: number;
  readonly final: boolean;
}

function failureIn(model: string): AskedFailure | null {
  const match = /(?:^|[/:])fail-([45]\d\d)(-final)?$/.exec(model);
  return match === null ? null : { status: Number(match[1]), final: match[2] !== undefined };
}

function failureMessage(status: number, model: string): string {
  switch (status) {
    case 404:
      return `There is no model '${model}'.`;
    case 429:
      return 'Too many requests, as asked for by the name of the model.';
    default:
      return `Status ${status}, as asked for by the name of the model.`;
  }
}

function retryHeaders({ status, final }: AskedFailure, retryAfterMs: number): Headers {
  if (final) return { 'x-should-retry': 'false' };
  if (status !== 429 && status < 500) return {};
  return {
    'x-should-retry': 'true',
    'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))),
    'retry-after-ms': String(retryAfterMs),
  };
}

function sendJson(res: ServerResponse, status: number, headers: Headers, payload: unknown): void {
  const bytes = Buffer.from(JSON.stringify(payload));
  res.writeHead(status, { ...headers, 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes);
}

async function sendFrames(res: ServerResponse, frames: readonly string[], pauseMs: number): Promise<void> {
  for (const frame of frames) {
    if (res.destroyed) return;
    if (!res.write(frame)) await writable(res);
    await pause(pauseMs, res);
  }
  res.end();
}

function writable(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    res.once('drain', resolve).once('close', resolve);
  });
}

function pause(ms: number, res: ServerResponse): Promise<void> {
  if (ms === 0 || res.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      res.off('close', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    res.once('close', done);
  });
}
