import { piecesOf, type Bytes } from '../domain/bytes.ts';
import { refuse } from '../domain/refusal.ts';
import { createGathering } from '../http/gathering.ts';
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
  const gathered = createGathering();
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
    const size = gathered.add(chunk);
    if (size > maxBytes) refuseInstead(refuse('response_too_large'));
    else reservation.grewTo(size);
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
    if (gathered.size() === 0) {
      send(NO_BYTES, writeHead(delivery));
      return;
    }
    const body = gathered.whole();
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

  function send(body: Bytes, wroteHead: boolean): void {
    done = true;
    if (!wroteHead) {
      delivery.refuse(refuse('upstream_invalid'));
      return;
    }
    exchange.responseBytes = body.length;
    sendParts(partsOf(body), 0);
  }

  /** In parts, since only a part that was taken shows that a client reads, however slowly. */
  function sendParts(parts: readonly Uint8Array[], from: number): void {
    deadline.enter('stalled', writeStallMs);
    for (let i = from; i < parts.length - 1; i += 1) {
      if (client.write(parts[i]!)) continue;
      client.once('drain', () => sendParts(parts, i + 1));
      return;
    }
    client.end(parts.at(-1));
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

function partsOf(body: Bytes): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (const piece of piecesOf(body)) {
    for (let at = 0; at < piece.length; at += PART_BYTES) parts.push(piece.subarray(at, at + PART_BYTES));
  }
  return parts;
}
