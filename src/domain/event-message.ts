/**
 * The binary event streams of Bedrock and SageMaker. Each event is a message: its length and that of its headers, a
 * checksum of both, the headers, the payload, and a checksum of all. The payload is JSON; what a model is invoked with
 * hides its events in it, as base64 under `bytes`, and an agent its words. Checksums are left to the client: a message
 * that it drops was read in vain, and nothing else.
 */
export const EVENT_MESSAGES = 'application/vnd.amazon.eventstream';

/** Two lengths and a checksum in front, a checksum behind. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;

/**
 * How many bytes the message takes that begins at `at`. Null as long as too few have arrived to tell, and `malformed` for
 * what no message begins with.
 */
export function lengthOfMessage(bytes: Buffer, at: number): number | 'malformed' | null {
  if (bytes.length - at < 8) return null;
  const total = bytes.readUInt32BE(at);
  const headers = bytes.readUInt32BE(at + 4);
  return headers > total - PRELUDE_BYTES - CHECKSUM_BYTES ? 'malformed' : total;
}

/** The text of a message: its event, taken out of the base64 that it may be wrapped in. */
export function textOfMessage(message: Buffer): string {
  const length = lengthOfMessage(message, 0);
  // Cut off in the middle: whatever is there may be text.
  if (typeof length !== 'number' || length > message.length) return message.toString('latin1');
  const payload = message.toString('utf8', PRELUDE_BYTES + message.readUInt32BE(4), length - CHECKSUM_BYTES);
  return unwrapped(payload) ?? payload;
}

function unwrapped(payload: string): string | null {
  if (!WRAPPED.test(payload)) return null;
  try {
    const value = JSON.parse(payload) as { readonly bytes?: unknown; readonly p?: unknown } | null;
    if (typeof value?.bytes !== 'string') return null;
    const { bytes, p: _padding, ...more } = value;
    const hidden = Buffer.from(bytes, 'base64').toString('utf8');
    const isWholeEvent = /^\s{0,64}\{/.test(hidden) && Object.keys(more).length === 0;
    return isWholeEvent ? hidden : JSON.stringify({ completion: hidden, more });
  } catch {
    return null;
  }
}

const WRAPPED = /"bytes"\s{0,8}:/;

/** What no event holds before the model has said everything. */
const LAST_WORDS = /"(?:stop_?[rR]eason|completionReason)"\s{0,8}:\s{0,8}["{]/;
const LAST_EVENT = /:event-type\x07[^]{2}messageStop/;

/** Whether a client may stop reading at this message. `text` is that of the message. */
export function mayEndMessages(message: Buffer, text: string): boolean {
  return LAST_WORDS.test(text) || LAST_EVENT.test(message.toString('latin1', 0, MOST_HEADERS));
}

/** Bedrock has three headers in each message. */
const MOST_HEADERS = 512;
