import { refuse } from '../domain/refusal.ts';
import { readingRoomOf, type Place, type ReadingRoom } from '../http/reading-room.ts';
import { upstreamBroke, wasReset, writeHead, type Delivery, type Handover } from './delivery.ts';
import type { ResponseJudge } from './response-gate.ts';

const MB = 1_048_576;
/** Answers up to this length are held without asking, as nearly all are. */
const LONG_BYTES = MB;
/** As long as one that does not say its length is thought to be at first. */
const LIKELY_BYTES = 8 * MB;
/** It is paid for and its reader waits, so it waits for longer than a request; and how fast it comes is its upstream's to say. */
const PATIENCE = { waitMs: 30_000, graceMs: Infinity, leastBytesPerS: 0 };
let everybody: ReadingRoom | null = null;

/**
 * A response that is judged as a whole: nothing of it is sent before its last byte is here, and then all of it as it came. Long
 * ones take turns, for a client that asks for twenty files at once would have them all held here: a place is kept until its
 * reader has all of it.
 */
export function hold(
  delivery: Delivery,
  judge: ResponseJudge,
  maxBytes: number,
  room: ReadingRoom = (everybody ??= readingRoomOf(undefined, PATIENCE)),
): Handover {
  const { upstream, answer, client, exchange, deadline, writeStallMs } = delivery;
  const chunks: Buffer[] = [];
  let size = 0;
  let done = false;

  const length = Number(answer.headers['content-length']);
  let reserved = LONG_BYTES;
  let place: Place | null = null;

  function takePlace(): void {
    place?.giveBack();
    reserved = length > 0 ? Math.min(length, maxBytes) : size <= LIKELY_BYTES ? LIKELY_BYTES : maxBytes;
    let isIn = false;
    place = room.take(reserved, {
      come() {
        isIn = true;
        deadline.enter('idle', upstream.idleMs);
        answer.resume();
      },
      read: () => size,
      leave() {
        if (!done) refuseInstead(refuse('overloaded'));
      },
    });
    if (isIn) return;
    deadline.rest();
    answer.pause();
  }
  client.once('close', () => place?.giveBack());

  const refuseInstead = (refusal: Parameters<Delivery['refuse']>[0]): void => {
    done = true;
    delivery.cancel();
    delivery.refuse(refusal);
  };

  deadline.enter('idle', upstream.idleMs);
  answer.on('data', (chunk: Buffer) => {
    if (done) return;
    deadline.enter('idle', upstream.idleMs);
    size += chunk.length;
    if (size > maxBytes) refuseInstead(refuse('response_too_large'));
    else {
      chunks.push(chunk);
      if (size > reserved) takePlace();
    }
  });
  answer.once('close', () => {
    if (done || client.destroyed) return;
    if (!answer.complete || wasReset(answer)) {
      done = true;
      upstreamBroke(delivery);
      return;
    }
    deadline.rest();
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
    judge
      .whole(body, answer)
      .then((verdict) => {
        if (done || client.destroyed) return;
        if (verdict.kind === 'refuse') refuseInstead(verdict.refusal);
        else if (verdict.kind === 'pass') send(body, writeHead(delivery));
        else send(verdict.bytes, writeHead(delivery, { length: verdict.bytes.length }));
      })
      .catch((error: unknown) => {
        done = true;
        delivery.mistaken(error);
      });
  });

  function send(body: Uint8Array, wroteHead: boolean): void {
    done = true;
    if (!wroteHead) {
      delivery.refuse(refuse('upstream_invalid'));
      return;
    }
    exchange.responseBytes = body.length;
    deadline.enter('stalled', writeStallMs);
    client.end(body);
  }

  return {
    cut(refusal) {
      if (!done) {
        refuseInstead(refusal);
        return;
      }
      exchange.ending = 'cut';
      exchange.refusal = refusal.type;
      client.destroy();
    },
  };
}
