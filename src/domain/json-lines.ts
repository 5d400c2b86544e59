/** Documents of JSON one after another, by all the names that upstreams have for them. */
const JSON_LINES = /^[^/]+\/(?:[\w.+-]*\+)?(?:x-)?(?:ndjson|jsonl|jsonlines)$/;

/** `type`: of a media type the part before its parameters, in small letters. */
export function isJsonLines(type: string): boolean {
  return JSON_LINES.test(type);
}

export function typeOf(contentType: string): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase();
}
