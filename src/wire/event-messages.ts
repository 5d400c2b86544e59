import { lengthOfMessage, textOfMessage } from '../domain/event-message.ts';

/** A whole binary event stream as server-sent events, which are read by their channels: as far as it is one. */
export function eventsOfMessages(bytes: Buffer): { readonly events: Buffer; readonly isWhole: boolean } {
  const events: string[] = [];
  let isWhole = true;
  for (let at = 0; at < bytes.length;) {
    const length = lengthOfMessage(bytes, at);
    if (length === 'malformed') {
      isWhole = false;
      break;
    }
    const end = length === null ? bytes.length : Math.min(at + length, bytes.length);
    const text = textOfMessage(bytes.subarray(at, end));
    events.push(text.replaceAll(/^/gm, 'data: '), '\n\n');
    at = end;
  }
  return { events: Buffer.from(events.join('')), isWhole };
}
