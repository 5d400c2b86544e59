/** Turns the body of POST /check into scan jobs, or says what is wrong with it. It is parsed on the scanning thread. */
import { parseCheck, type CheckFault } from '../domain/check.ts';
import type { ScanJob } from '../domain/job.ts';

export type CheckBody =
  /** One job per text. Each is scanned as the proxy would scan it, so that both give the same verdict. */
  | { readonly kind: 'jobs'; readonly isList: boolean; readonly jobs: readonly ScanJob[] }
  | { readonly kind: 'invalid'; readonly fault: CheckFault };

export function readCheck(job: ScanJob): CheckBody {
  const asked = parseCheck(job.bytes);
  switch (asked.kind) {
    case 'invalid':
      return asked;
    case 'text':
      return { kind: 'jobs', isList: false, jobs: [jobOf(job, [asked.text])] };
    case 'texts':
      return { kind: 'jobs', isList: true, jobs: asked.texts.map((each) => jobOf(job, [each])) };
    case 'messages':
      return { kind: 'jobs', isList: false, jobs: [jobOf(job, { messages: asked.messages }, CHAT)] };
  }
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
