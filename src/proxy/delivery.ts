import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from '../domain/exchange.ts';
import { refuse, type Refusal } from '../domain/refusal.ts';
import { responseHeaders } from '../http/headers.ts';
import type { Deadline } from './deadline.ts';
import type { Upstream } from './upstreams.ts';

/** An upstream's answer and the client it is for: what every way of handing it over needs. */
export interface Delivery {
  readonly upstream: Upstream;
  readonly answer: IncomingMessage;
  readonly client: ServerResponse;
  readonly exchange: Exchange;
  readonly deadline: Deadline;
  readonly writeStallMs: number;
  /** The upstream stopped before its body was complete. */
  readonly broke: () => void;
  /** An answer of our own, while nothing of the upstream's has been sent. */
  readonly refuse: (refusal: Refusal) => void;
  /** Gives the upstream up. */
  readonly cancel: () => void;
  /** A mistake of ours: told by its place, and the end of this call. */
  readonly mistaken: (error: unknown) => void;
}

/** A hand-over under way. */
export interface Handover {
  /** Ends the response from our side, so that the client sees that it was cut. */
  cut(refusal: Refusal): void;
}

/** A body that has no end but the connection's: it cannot be told from its loss. */
export function unframed({ headers, statusCode }: IncomingMessage): boolean {
  return (
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    statusCode !== 204 &&
    statusCode !== 304
  );
}

/** Node takes a reset for the end of a body that ends by closing. */
export function wasReset(answer: IncomingMessage): boolean {
  return unframed(answer) && answer.socket.errored !== null;
}

/** Headers that vouch for bytes which are no longer the upstream's. */
const OF_THE_BYTES = /^(?:content-length|content-md5|digest|content-digest|repr-digest|etag)$/i;

/**
 * The upstream's head, as it is; where its body may change, without what was true of its bytes alone, and with the new length
 * once that is known. False when Node refuses to write it; nothing has been sent then.
 */
export function writeHead(
  { answer, client, exchange }: Delivery,
  changed?: { readonly length: number | null },
): boolean {
  let head = responseHeaders(answer.rawHeaders, answer.headers.connection);
  if (changed !== undefined) {
    const theirs = head;
    head = [];
    for (let at = 0; at < theirs.length; at += 2)
      if (!OF_THE_BYTES.test(theirs[at]!)) head.push(theirs[at]!, theirs[at + 1]!);
    if (changed.length !== null) head.push('Content-Length', String(changed.length));
  }
  if (answer.headers['x-request-id'] === undefined) head.push('X-Request-ID', exchange.id);
  head.push('X-Guard-Scanned', exchange.scanned ? 'true' : 'false');

  if (unframed(answer) && changed?.length == null) {
    // Framing it anew would vouch for an end that we did not see.
    client.useChunkedEncodingByDefault = false;
    client.shouldKeepAlive = false;
  }
  try {
    client.writeHead(answer.statusCode!, reason(answer.statusMessage), head);
    return true;
  } catch {
    return false;
  }
}

/** The upstream's own words when they are printable; anything else could end our status line. */
function reason(phrase: string | undefined): string | undefined {
  return phrase !== undefined && phrase !== '' && /^[\t\x20-\x7e]+$/.test(phrase) ? phrase : undefined;
}

/** Breaks a response off so that its reader cannot take it for whole. */
export function sever({ answer, client }: Delivery): void {
  const endsByClosing = answer.headers['content-length'] === undefined && !client.chunkedEncoding;
  // Where closing is what ends a body, only a reset says that this was not its end. It may cost the reader bytes that
  // are still on their way, which is why it is not done where the framing tells.
  if (endsByClosing && client.socket !== null) client.socket.resetAndDestroy();
  else client.destroy();
}

/** Said once, by whoever notices first: to the client as a refusal, while nothing has been sent, or by breaking off. */
export function upstreamBroke(delivery: Delivery): void {
  delivery.exchange.ending = 'upstream-broke';
  delivery.broke();
  if (delivery.client.headersSent) {
    sever(delivery);
    return;
  }
  delivery.cancel();
  delivery.refuse(refuse('upstream_closed'));
}
