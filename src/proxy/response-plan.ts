import type { IncomingMessage } from 'node:http';
import { streamKind, type StreamKind } from './stream/in-band.ts';

/** How an answer of a model is scanned, decided from its head: before anything of its body is read. */
export type ResponsePlan =
  | { readonly kind: 'pass' }
  /** The endpoint returns model output, but this response is in a format without text: image, audio, video, archive. */
  | { readonly kind: 'unread' }
  /** The response is held until it is complete, scanned, and then sent unchanged. */
  | { readonly kind: 'whole' }
  | { readonly kind: 'stream'; readonly stream: StreamKind };

const PASS: ResponsePlan = { kind: 'pass' };
const UNREAD: ResponsePlan = { kind: 'unread' };
const WHOLE: ResponsePlan = { kind: 'whole' };

const TEXT = /^(?:text\/|application\/[\w.+-]*(?:json|jsonl|jsonlines|xml)\b|$)/i;
/**
 * Every other type is scanned, whether or not it promises text: providers return the results of a batch as
 * `application/octet-stream`. The scanner decides by the bytes what is text.
 */
const MEDIA = /^(?:(?:image|audio|video|font)\/(?![\w.+-]*xml\b)|application\/(?:pdf|zip|gzip|x-tar)\b)/i;

/**
 * Chooses by status and content type; whether the endpoint is one of a model is known from the request. The method and
 * the request's `stream` flag are not considered: model output is also returned on GET, for example when a stored
 * response is fetched.
 */
export function responsePlanFor(answer: IncomingMessage): ResponsePlan {
  const status = answer.statusCode!;
  if (status < 200 || status > 299 || status === 204) return PASS;
  const type = contentTypeOf(answer);
  if (MEDIA.test(type)) return UNREAD;
  const kind = streamKind(type);
  if (kind === null) return WHOLE;
  const coding = answer.headers['content-encoding'];
  // Decompression happens in the scanning thread and needs the complete body, so a compressed stream is held.
  if (coding !== undefined && !/^(?:identity)?$/i.test(coding)) return WHOLE;
  return { kind: 'stream', stream: kind };
}

/**
 * With several Content-Type headers, or a comma-separated list in one, clients differ in which value they use.
 * The response counts as text if any of the values is a text type, and as media only if all of them are.
 */
export function contentTypeOf({ headersDistinct }: IncomingMessage): string {
  const lines = headersDistinct['content-type'] ?? [''];
  const types = [...lines, ...lines.flatMap((line) => line.split(','))].map((type) => type.trim());
  return types.find((type) => TEXT.test(type)) ?? types.find((type) => !MEDIA.test(type)) ?? types[0]!;
}
