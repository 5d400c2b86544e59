import type { Refusal } from '../../domain/refusal.ts';
import { sever, type Delivery } from '../delivery.ts';
import { dialectAt } from './dialect.ts';
import { errorFrame, type StreamKind } from './in-band.ts';

/** A client may throw away what it has not looked at yet when its connection breaks. */
const TIME_TO_READ_MS = 200;

/** Ends a stream whose last frame is whole with a frame that says why there is no more. */
export function endWithError(delivery: Delivery, kind: StreamKind, refusal: Refusal): void {
  const { client, exchange } = delivery;
  if (client.destroyed || client.writableEnded) return;
  const dialect = dialectAt(exchange.path);
  const frame = errorFrame(kind, refusal, dialect);
  // Cohere's Python client prints what it cannot read and goes on. Only a stream that breaks off raises there.
  if (kind === 'sse' && dialect === 'cohere') client.write(frame, () => setTimeout(sever, TIME_TO_READ_MS, delivery));
  else client.end(frame);
}
