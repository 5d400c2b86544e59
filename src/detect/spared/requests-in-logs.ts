import { wordsOf } from './closed-words.ts';
import { dropsOnly } from './quoted-attack.ts';

/**
 * `"GET /?q=ignore%20previous%20instructions HTTP/1.1" 403 12`: the log of a server holds what was tried on it, written as
 * addresses are. Left out is a value of the query that only drops what was said, in a line that tells method, status and bytes:
 * it asks for nothing. All else is judged.
 */
export function withoutRequestsInLogs(text: string): string {
  let read = 0;
  return text.replace(REQUEST, (request) =>
    ++read > MOST_REQUESTS
      ? request
      : request.replace(VALUE, (whole, name: string, value: string) => (isDropAlone(value) ? name : whole)),
  );
}

function isDropAlone(value: string): boolean {
  let said: string;
  try {
    said = decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return false;
  }
  const words = wordsOf(said);
  return words !== null && dropsOnly(words);
}

const REQUEST =
  /"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \/[^\s"]{1,1024} HTTP\/[123](?:\.[01])?" [1-5]\d\d (?:\d{1,12}|-)(?=\s|$)/gu;
const VALUE = /([?&][\w.-]{1,40}=)([^&\s"]{4,240})/gu;
const MOST_REQUESTS = 200;
