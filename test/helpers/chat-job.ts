import type { ScanJob } from '../../src/domain/job.ts';

/** A chat request as the proxy hands it to the scanner. */
export function chatJob(body: string | Uint8Array, more: Partial<ScanJob> = {}): ScanJob {
  return {
    bytes: typeof body === 'string' ? Buffer.from(body) : body,
    wire: 'openai',
    direction: 'request',
    sensitive: false,
    path: '/v1/chat/completions',
    contentType: 'application/json',
    contentEncoding: '',
    ...more,
  };
}
