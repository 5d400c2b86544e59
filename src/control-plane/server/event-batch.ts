import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { refuse, type Refusal } from '../../domain/refusal.ts';
import { MAX_BATCH_TEXT, readBatch, type EventBatch } from '../protocol.ts';

/** A batch of counts as an instance sends it, unpacked within limits. */

const unzip = promisify(gunzip);
const KEY = /^[A-Za-z0-9-]{16,64}$/;

export type Unpacked =
  { readonly kind: 'batch'; readonly batch: EventBatch } | { readonly kind: 'refused'; readonly refusal: Refusal };

export function batchKey(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && KEY.test(value) ? value : null;
}

/** Decompresses and parses a batch. */
export async function unpackBatch(bytes: Buffer, encoding: string): Promise<Unpacked> {
  let text = bytes;
  if (encoding === 'gzip') {
    try {
      // The limit applies while the output grows, so a decompression bomb costs no more than the limit.
      text = (await unzip(bytes, { maxOutputLength: MAX_BATCH_TEXT })) as Buffer;
    } catch (error) {
      const isBomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return refused(
        isBomb ? refuse('payload_too_large') : refuse('invalid_request', { message: 'The body is not valid gzip' }),
      );
    }
  } else if (encoding !== '' && encoding !== 'identity') {
    return refused(refuse('unsupported_encoding', { message: 'Content-Encoding is not supported, send gzip' }));
  }
  let value: unknown;
  try {
    value = JSON.parse(text.toString('utf8'));
  } catch {
    return refused(refuse('invalid_json'));
  }
  const batch = readBatch(value);
  return batch === null
    ? refused(refuse('invalid_request', { message: 'The body is no batch of events' }))
    : { kind: 'batch', batch };
}

function refused(refusal: Refusal): Unpacked {
  return { kind: 'refused', refusal };
}
