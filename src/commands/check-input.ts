import { readText } from '../read-text.ts';
import type { ScanJob } from '../domain/job.ts';
import { jobOfText } from '../domain/lone-text.ts';
import { misuse, type Arguments } from './command.ts';
import { roleFlag } from './role-flag.ts';

/** What `guard check` is asked to judge: a text, or the messages of a call. */

const MAX_BYTES = 10_485_760;

/** Whether secrets are looked for is up to the policy, which is read later. */
export type Input = (sensitive: boolean) => ScanJob;

export async function inputOf(args: Arguments): Promise<Input> {
  const word = args.words[0];
  const file = args.text('messages');
  const role = roleFlag(args);
  if (word !== undefined && file !== undefined) throw misuse('check judges either a text or --messages, not both');
  if (file !== undefined) {
    if (role !== null) throw misuse('--role is for a text: messages have roles of their own');
    const body = bodyOf(await contentOf(file), file);
    return (sensitive) => jobOfCall(body, sensitive);
  }
  if (word === undefined) throw misuse('check needs a text, or - for standard input');
  const text = word === '-' ? await standardInput() : word;
  return (sensitive) => jobOfText(text, 'request', role ?? 'user', sensitive);
}

async function contentOf(file: string): Promise<string> {
  if (file === '-') return standardInput();
  const read = readText(file, MAX_BYTES);
  if (read.text === null) throw misuse(`${file}: ${read.problem}`);
  return read.text;
}

type Body = Readonly<Record<string, unknown>>;

/** The body of a call, or the list of its messages alone. */
function bodyOf(content: string, file: string): Body {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    throw misuse(`${file} is no JSON`);
  }
  const body = Array.isArray(parsed) ? { messages: parsed } : parsed;
  if (typeof body !== 'object' || body === null || !Array.isArray((body as Body)['messages']))
    throw misuse(`${file} holds no list of messages: [{"role":"user","content":"..."}], or the body of a call`);
  return body as Body;
}

/** Read as the proxy would read it. Only Anthropic has the system prompt, or the result of a tool, in these places. */
function jobOfCall(body: Body, sensitive: boolean): ScanJob {
  const isAnthropic = body['system'] !== undefined || (body['messages'] as unknown[]).some(holdsBlocks);
  return {
    bytes: Buffer.from(JSON.stringify(body)),
    wire: isAnthropic ? 'anthropic' : 'openai',
    direction: 'request',
    sensitive,
    path: isAnthropic ? '/v1/messages' : '/v1/chat/completions',
    contentType: 'application/json',
    contentEncoding: '',
  };
}

function holdsBlocks(message: unknown): boolean {
  const { content } = (message ?? {}) as Body;
  return (
    Array.isArray(content) &&
    content.some((block: unknown) => ['tool_use', 'tool_result'].includes(((block ?? {}) as Body)['type'] as string))
  );
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) throw misuse(`standard input holds more than ${MAX_BYTES} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
