import { refuse } from '../domain/refusal.ts';
import type { ReadingRoom } from '../http/reading-room.ts';
import { handleUpstreamBreak, sever, wasReset, writeHead, type Delivery, type Handover } from './delivery.ts';
import { reserveMemory } from './response-memory.ts';
import type { ResponseJudge } from './response-gate.ts';

const PART_BYTES = 65_536;
const NO_BYTES = new Uint8Array(0);

/**
 * Holds a response until its last byte has arrived, lets `judge` decide on it, and then sends it: unchanged, masked, or
 * a refusal instead.
 */
export function hold(delivery: Delivery, judge: ResponseJudge, maxBytes: number, room?: ReadingRoom): Handover {
  const { upstream, answer, client, exchange, deadline, writeStallMs } = delivery;
  const chunks: Buffer[] = [];
  let size = 0;
  let done = false;

  const refuseInstead = (refusal: Parameters<Delivery['refuse']>[0]): void => {
    done = true;
    delivery.cancel();
    delivery.refuse(refusal);
  };

  const refuseAsOverloaded = (): void => {
    if (!done) refuseInstead(refuse('overloaded'));
  };
  const reservation = reserveMemory(delivery, maxBytes, refuseAsOverloaded, room);

  deadline.enter('idle', upstream.idleMs);
  answer.on('data', (chunk: Buffer) => {
    if (done) return;
    deadline.enter('idle', upstream.idleMs);
    size += chunk.length;
    if (size > maxBytes) refuseInstead(refuse('response_too_large'));
    else {
      chunks.push(chunk);
      reservation.grewTo(size);
    }
  });
  answer.once('close', () => {
    if (done || client.destroyed) return;
    if (!answer.complete || wasReset(answer)) {
      done = true;
      handleUpstreamBreak(delivery);
      return;
    }
    deadline.suspend();
    // Nothing to scan, whatever its head says of the bytes: the answer to a HEAD, for example.
    if (size === 0) {
      send(NO_BYTES, writeHead(delivery));
      return;
    }
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
    judge
      .judgeBody(body, answer)
      .then((verdict) => {
        if (done || client.destroyed) return;
        if (verdict.kind === 'refuse') refuseInstead(verdict.refusal);
        else if (verdict.kind === 'pass') send(body, writeHead(delivery));
        else send(verdict.bytes, writeHead(delivery, { length: verdict.bytes.length }));
      })
      .catch((error: unknown) => {
        done = true;
        delivery.onOwnFault(error);
      });
  });

  function send(body: Uint8Array, wroteHead: boolean): void {
    done = true;
    if (!wroteHead) {
      delivery.refuse(refuse('upstream_invalid'));
      return;
    }
    exchange.responseBytes = body.length;
    sendFrom(body, 0);
  }

  /** In parts, since only a part that was taken shows that a client reads, however slowly. */
  function sendFrom(body: Uint8Array, start: number): void {
    let at = start;
    deadline.enter('stalled', writeStallMs);
    for (; body.length - at > PART_BYTES; at += PART_BYTES) {
      if (client.write(body.subarray(at, at + PART_BYTES))) continue;
      client.once('drain', () => sendFrom(body, at + PART_BYTES));
      return;
    }
    client.end(body.subarray(at));
  }

  return {
    cut(refusal) {
      if (!done) {
        refuseInstead(refusal);
        return;
      }
      exchange.ending = 'cut';
      exchange.refusal = refusal.type;
      sever(delivery);
    },
  };
}
