import type { Handover, Delivery } from './delivery.ts';
import { sever, unframed, upstreamBroke, wasReset, writeHead } from './delivery.ts';
import { atBoundary, errorFrame, streamKind } from './stream/in-band.ts';

/** The upstream's answer on its way to the client: every byte, as it comes, and nothing that was not said. */

const BOUNDARY_BYTES = 4;
const TERMINATOR_BYTES = 512;

/** Null when the head cannot be written; nothing has been sent then. */
export function relay(delivery: Delivery): Handover | null {
  const { upstream, answer, client, exchange, deadline, writeStallMs } = delivery;
  const { headers } = answer;
  const kind = headers['content-encoding'] === undefined ? streamKind(headers['content-type']) : null;
  if (!writeHead(delivery)) return null;

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
  // A head without a body yet must not wait for one; in the usual case the body came in the same read and this is a no-op.
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

const TERMINATORS =
  /\[DONE\]|message_stop|response\.(?:completed|failed|incomplete|cancelled)|event: ?(?:error|done)|"type": ?"error"/;

function terminated(tail: Uint8Array): boolean {
  return TERMINATORS.test(Buffer.from(tail).toString('latin1'));
}
