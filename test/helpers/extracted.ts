import { ok } from 'node:assert/strict';
import type { ScanJob } from '../../src/domain/job.ts';
import { unpackedBody } from '../../src/wire/content-encoding.ts';
import { extract, type Extraction } from '../../src/wire/index.ts';

/** What is read of a body: of the request of a chat, except for what `job` says otherwise. */
export function extracted(body: Buffer | string, job: Partial<ScanJob> = {}): Extraction {
  const whole = {
    bytes: Buffer.from(body),
    wire: 'openai',
    direction: 'request',
    path: '/v1/chat/completions',
    contentType: 'application/json',
    contentEncoding: '',
    ...job,
  } as const;
  const bytes = unpackedBody(whole);
  return typeof bytes === 'string' ? { kind: 'unreadable', reason: bytes } : extract({ ...whole, bytes });
}

export type ReadableBody = Extract<Extraction, { kind: 'text' }>;

/** The same for a body that has to be readable. */
export function readableBody(body: Buffer | string, job: Partial<ScanJob> = {}): ReadableBody {
  const extraction = extracted(body, job);
  ok(extraction.kind === 'text', JSON.stringify(extraction));
  return extraction;
}

/** The same for a value that is sent as JSON. */
export function readableJson(value: unknown, job: Partial<ScanJob> = {}): ReadableBody {
  return readableBody(JSON.stringify(value), job);
}
