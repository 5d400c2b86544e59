import type { Handover, Delivery } from './delivery.ts';
import { sever, unframed, upstreamBroke, wasReset, writeHead } from './delivery.ts';
import { atBoundary, errorFrame, streamKind } from './stream/in-band.ts';

/** Relays a response that is not scanned: every byte is passed on unchanged, as it arrives. */

/** The last bytes of a stream that `atBoundary` needs. */
const BOUNDARY_BYTES = 4;
/** The last bytes of a stream in which its final event is looked for. */
const TERMINATOR_BYTES = 512;

/** Returns null when the head cannot be written. Nothing has been sent in that case. */
export function relay(delivery: Delivery): Handover | null {
  const { upstream, answer, client, exchange, deadline, writeStallMs } = delivery;
  const { headers } = answer;
  const kind = headers['content-encoding'] === undefined ? streamKind(headers['content-type']) : null;
  if (!writeHead(delivery)) return null;

  // A body without Content-Length and chunked encoding ends when the connection closes, so a lost connection looks like
  // its end. Streams of these APIs end with a known event: without that event the stream counts as broken.
  const guardEnd =
    unframed(answer) &&
    kind === 'sse' &&
    exchange.method !== 'HEAD' &&
    (upstream.wire === 'openai' || upstream.wire === 'anthropic');
  const keep = guardEnd ? TERMINATOR_BYTES : BOUNDARY_BYTES;
  let tail: Uint8Array = new Uint8Array(0);
  let bytes = 0;

  deadline.enter('idle', upstream.idleMs);
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    exchange.responseBytes = bytes;
    if (kind !== null) tail = lastOf(tail, chunk, keep);
    if (client.write(chunk)) {
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
    if (wasReset(answer) || (guardEnd && !terminated(tail))) {
      upstreamBroke(delivery);
      return;
    }
    deadline.enter('stalled', writeStallMs);
    client.end();
  });
  answer.once('close', () => {
    if (!answer.complete && !client.destroyed) upstreamBroke(delivery);
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
      if (kind !== null && !client.destroyed && !client.writableEnded && atBoundary(kind, tail)) {
        client.end(errorFrame(kind, refusal));
      } else {
        sever(delivery);
      }
    },
  };
}

function lastOf(tail: Uint8Array, chunk: Buffer, keep: number): Uint8Array {
  if (chunk.length >= keep) return chunk.subarray(chunk.length - keep);
  const both = Buffer.concat([tail, chunk]);
  return both.length <= keep ? both : both.subarray(both.length - keep);
}

/** What the last event of a stream contains, for the providers that are checked. */
const TERMINATORS =
  /\[DONE\]|message_stop|response\.(?:completed|failed|incomplete|cancelled)|event: ?(?:error|done)|"type": ?"error"/;

function terminated(tail: Uint8Array): boolean {
  return TERMINATORS.test(Buffer.from(tail).toString('latin1'));
}
