import { writeAsOneChunk } from '../http/one-chunk.ts';
import type { Handover, Delivery } from './delivery.ts';
import { sever, handleUpstreamBreak, wasReset, writeHead } from './delivery.ts';
import { endWithError } from './stream/end-with-error.ts';
import { atBoundary, streamKind } from './stream/in-band.ts';
import { watchEnd } from './stream/terminators.ts';

/** Relays a response that is not scanned: every byte is passed on unchanged, as it arrives. */

/** The last bytes of a stream that `atBoundary` needs. */
const BOUNDARY_BYTES = 4;

/** Returns null when the head cannot be written. Nothing has been sent in that case. */
export function relay(delivery: Delivery): Handover | null {
  const { upstream, answer, client, exchange, deadline, writeStallMs } = delivery;
  const { headers } = answer;
  const kind = headers['content-encoding'] === undefined ? streamKind(headers['content-type']) : null;
  if (!writeHead(delivery)) return null;

  const endWatch = watchEnd(delivery, kind);
  let tail: Uint8Array = new Uint8Array(0);
  let bytes = 0;

  deadline.enter('idle', upstream.idleMs);
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    exchange.responseBytes = bytes;
    if (kind !== null) tail = lastBytes(tail, chunk, BOUNDARY_BYTES);
    endWatch?.push(chunk);
    if (writeAsOneChunk(client, chunk)) {
      deadline.enter('idle', upstream.idleMs);
    } else {
      answer.pause();
      deadline.enter('stalled', writeStallMs);
    }
  });
  client.on('drain', () => {
    deadline.enter('idle', upstream.idleMs);
    answer.resume();
  });
  answer.once('end', () => {
    if (wasReset(answer) || endWatch?.isComplete() === false) {
      handleUpstreamBreak(delivery);
      return;
    }
    deadline.enter('stalled', writeStallMs);
    client.end();
  });
  answer.once('close', () => {
    if (!answer.complete && !client.destroyed) handleUpstreamBreak(delivery);
  });
  // Send the head without waiting for the body. Usually the body arrived in the same read, and this does nothing.
  setImmediate(() => {
    if (bytes === 0 && !client.writableEnded && !client.destroyed) client.flushHeaders();
  });

  return {
    cut(refusal) {
      exchange.ending = 'cut';
      exchange.refusal = refusal.type;
      answer.removeAllListeners('data');
      if (kind !== null && !client.destroyed && !client.writableEnded && atBoundary(kind, tail))
        endWithError(delivery, kind, refusal);
      else sever(delivery);
    },
  };
}

function lastBytes(tail: Uint8Array, chunk: Buffer, keep: number): Uint8Array {
  if (chunk.length >= keep) return chunk.subarray(chunk.length - keep);
  const both = Buffer.concat([tail, chunk]);
  return both.length <= keep ? both : both.subarray(both.length - keep);
}
