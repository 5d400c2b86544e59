import { lengthOfMessage, textOfMessage } from '../domain/event-message.ts';

/** A whole binary event stream as server-sent events, which are read by their channels. Null for what is none. */
export function eventsOfMessages(bytes: Buffer): Buffer | null {
  const events: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = lengthOfMessage(bytes, at);
    if (length === 'malformed') return null;
    const end = length === null ? bytes.length : Math.min(at + length, bytes.length);
    const text = textOfMessage(bytes.subarray(at, end));
    events.push(text.replaceAll(/^/gm, 'data: '), '\n\n');
    at = end;
  }
  return Buffer.from(events.join(''));
}
