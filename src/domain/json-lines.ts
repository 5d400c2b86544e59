/**
 * The media types that upstreams use for a sequence of JSON documents, such as `application/x-ndjson` or
 * `application/jsonl`, or Cohere's `application/stream+json`.
 */
const JSON_LINES = /^[^/]+\/(?:(?:[\w.+-]*\+)?(?:x-)?(?:ndjson|jsonl|jsonlines)|stream\+json)$/;

/** `type` is a media type without parameters, in lower case. */
export function isJsonLines(type: string): boolean {
  return JSON_LINES.test(type);
}

/** `'Application/JSON; charset=utf-8' -> 'application/json'` */
export function typeOf(contentType: string): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase();
}
