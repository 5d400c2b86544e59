import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from '../domain/exchange.ts';
import { refuse, type Refusal } from '../domain/refusal.ts';
import { responseHeaders } from '../http/headers.ts';
import type { Deadline } from './deadline.ts';
import type { Upstream } from './upstreams.ts';

/** A response of an upstream and the client that waits for it: what `relay`, `hold` and `handOverStream` work on. */
export interface Delivery {
  readonly upstream: Upstream;
  readonly answer: IncomingMessage;
  readonly client: ServerResponse;
  readonly exchange: Exchange;
  readonly deadline: Deadline;
  readonly writeStallMs: number;
  /** Counts that the upstream stopped before its body was complete. */
  readonly countUpstreamBreak: () => void;
  /** Sends a refusal instead of the response. Possible only while nothing of the response has been sent. */
  readonly refuse: (refusal: Refusal) => void;
  /** Aborts the call to the upstream. */
  readonly cancel: () => void;
  /** Handles a bug in guard: reports where in the code it occurred, and ends this call. */
  readonly onOwnFault: (error: unknown) => void;
  /** Whether the head that was written to the client says how long the body is. */
  isLengthTold: boolean;
}

/** A response that is being sent. */
export interface Handover {
  /** Ends the response early, in a way that shows the client that it is incomplete. */
  cut(refusal: Refusal): void;
}

/** Of the codings that are relayed only `chunked` marks the end of a body; `identity` does not. */
function isChunked(coding: string | undefined): boolean {
  return coding?.toLowerCase() === 'chunked';
}

/** True for a body that ends when the connection closes. Its end cannot be told from a lost connection. */
export function isUnframed({ headers, statusCode }: IncomingMessage): boolean {
  return (
    headers['content-length'] === undefined &&
    !isChunked(headers['transfer-encoding']) &&
    statusCode !== 204 &&
    statusCode !== 304
  );
}

/** Node reports a connection reset as the regular end of an unframed body. This tells the two apart. */
export function wasReset(answer: IncomingMessage): boolean {
  return isUnframed(answer) && answer.socket.errored !== null;
}

/** Headers that describe the exact bytes of the body, and are wrong once the body has been changed. */
const HEADERS_OF_THE_BYTES = /^(?:content-length|content-md5|digest|content-digest|repr-digest|etag)$/i;

/**
 * Writes the upstream's response head to the client. `changed` says that the body may differ from the upstream's: the
 * headers that describe its exact bytes are left out, and Content-Length is set to the new length if that is known.
 * Returns false when Node refuses to write the head. Nothing has been sent in that case.
 */
export function writeHead(delivery: Delivery, changed?: { readonly length: number | null }): boolean {
  const { answer, client, exchange } = delivery;
  let head = responseHeaders(answer.rawHeaders, answer.headers.connection);
  if (changed !== undefined) {
    const original = head;
    head = [];
    for (let at = 0; at < original.length; at += 2)
      if (!HEADERS_OF_THE_BYTES.test(original[at]!)) head.push(original[at]!, original[at + 1]!);
    if (changed.length !== null) head.push('Content-Length', String(changed.length));
  }
  if (answer.headers['x-request-id'] === undefined) head.push('X-Request-ID', exchange.id);
  head.push('X-Guard-Scanned', exchange.scanned ? 'true' : 'false');

  if (isUnframed(answer) && changed?.length == null) {
    // With chunked encoding we would confirm an end of the body that the upstream never marked.
    client.useChunkedEncodingByDefault = false;
    client.shouldKeepAlive = false;
  }
  try {
    client.writeHead(answer.statusCode!, safeReasonPhrase(answer.statusMessage), head);
    delivery.isLengthTold =
      changed === undefined ? answer.headers['content-length'] !== undefined : changed.length !== null;
    return true;
  } catch {
    return false;
  }
}

/**
 * The upstream's reason phrase if it is printable ASCII. Anything else, a line break for example, could end our status
 * line.
 */
function safeReasonPhrase(phrase: string | undefined): string | undefined {
  return phrase !== undefined && phrase !== '' && /^[\t\x20-\x7e]+$/.test(phrase) ? phrase : undefined;
}

/** Breaks a response off so that the client cannot take it for complete. */
export function sever({ client, isLengthTold }: Delivery): void {
  const endsByClosing = !isLengthTold && !client.chunkedEncoding;
  // If the body ends by closing the connection, only a TCP reset shows that this was not the regular end. A reset may
  // discard bytes still in transit, so it is not used where the framing already shows that the body is incomplete.
  if (endsByClosing && client.socket !== null) client.socket.resetAndDestroy();
  else client.destroy();
}

/**
 * Handles an upstream that stopped early: a refusal if nothing has been sent yet, otherwise the response is broken off.
 */
export function handleUpstreamBreak(delivery: Delivery): void {
  delivery.exchange.ending = 'upstream-broke';
  delivery.countUpstreamBreak();
  if (delivery.client.headersSent) {
    sever(delivery);
    return;
  }
  delivery.cancel();
  // The connection that merely ended leaves no code behind.
  delivery.refuse(refuse(delivery.exchange.errorCode === null ? 'upstream_closed' : 'upstream_invalid'));
}
