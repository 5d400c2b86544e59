import { refuse } from '../domain/refusal.ts';
import type { ReadingRoom } from '../http/reading-room.ts';
import { handleUpstreamBreak, wasReset, writeHead, type Delivery, type Handover } from './delivery.ts';
import { reserveMemory } from './response-memory.ts';
import type { ResponseJudge } from './response-gate.ts';

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
