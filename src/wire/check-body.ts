/** The body of POST /check: which texts it holds, or what is wrong with it. Parsed in the worker, like every other body. */
import { MAX_TEXTS, type CheckFault } from '../domain/check.ts';
import type { ScanJob, UnreadableReason } from '../domain/job.ts';
import { decodeContent } from './content-encoding.ts';

export type CheckBody =
  /** One job per text: each is scanned as the proxy would scan it, so that both give the same verdict. */
  | { readonly kind: 'jobs'; readonly many: boolean; readonly jobs: readonly ScanJob[] }
  | { readonly kind: 'invalid'; readonly fault: CheckFault }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason };

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export function readCheck(job: ScanJob): CheckBody {
  const bytes = decodeContent(job.bytes, job.contentEncoding);
  if (typeof bytes === 'string') return { kind: 'unreadable', reason: bytes };
  let body: unknown;
  try {
    body = JSON.parse(UTF8.decode(bytes));
  } catch {
    return invalid('not-json');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return invalid('not-object');
  const { text, texts, messages } = body as Record<string, unknown>;
  if (text !== undefined) {
    return typeof text === 'string' ? { kind: 'jobs', many: false, jobs: [jobOf(job, [text])] } : invalid('text-type');
  }
  if (texts !== undefined) {
    if (!Array.isArray(texts) || !texts.every((each): each is string => typeof each === 'string'))
      return invalid('texts-type');
    if (texts.length === 0 || texts.length > MAX_TEXTS) return invalid('texts-count');
    return { kind: 'jobs', many: true, jobs: texts.map((each) => jobOf(job, [each])) };
  }
  if (messages !== undefined) {
    if (!Array.isArray(messages) || !messages.every((each) => typeof each === 'object' && each !== null))
      return invalid('messages-type');
    return { kind: 'jobs', many: false, jobs: [jobOf(job, { messages }, CHAT)] };
  }
  return invalid('no-text');
}

const CHAT = { wire: 'openai', path: '/v1/chat/completions' } as const;
const PLAIN = { wire: 'generic', path: '/check' } as const;

function jobOf({ sensitive }: ScanJob, body: unknown, shape: typeof CHAT | typeof PLAIN = PLAIN): ScanJob {
  return {
    ...shape,
    sensitive,
    bytes: Buffer.from(JSON.stringify(body)),
    direction: 'request',
    contentType: 'application/json',
    contentEncoding: '',
  };
}

function invalid(fault: CheckFault): CheckBody {
  return { kind: 'invalid', fault };
}
