import { isUnframed, type Delivery } from '../delivery.ts';
import type { StreamKind } from './in-band.ts';

/**
 * Tells a complete stream from one that was cut off. A body without Content-Length and chunked encoding ends when the
 * connection closes, so a lost connection looks like its end. Event streams of OpenAI and Anthropic end with a known
 * event: without it the stream counts as broken.
 */
export interface EndWatch {
  /** Reads the next bytes of the stream. */
  push(chunk: Buffer): void;
  /** Whether the event that ends the stream has arrived. Asked when the connection has closed. */
  isComplete(): boolean;
}

/** Returns null for a stream whose end needs no check. */
export function watchEnd({ upstream, answer, exchange }: Delivery, kind: StreamKind | null): EndWatch | null {
  const endsWithKnownEvent = kind === 'sse' && (upstream.wire === 'openai' || upstream.wire === 'anthropic');
  return endsWithKnownEvent && isUnframed(answer) && exchange.method !== 'HEAD' ? createEndWatch() : null;
}

const END_EVENTS = 'message_stop|error|response\\.(?:completed|failed|incomplete|cancelled)';
/**
 * The beginning of an event that ends a stream: the mark, the name of the event, or the type of its data. A type is
 * accepted only as a key of the outermost object, because the items of a response have types, too. So it must be the
 * first key, or the last one, as some servers sort the keys. Two expressions, because one with both takes five times as
 * long.
 */
const TERMINATOR_START = new RegExp(
  `[\\r\\n](?:data: ?\\[DONE\\]|event: ?(?:done|${END_EVENTS})[\\r\\n]|` +
    `data: ?\\{(?:"sequence_number": ?\\d+, ?)?(?:"type": ?"(?:${END_EVENTS})"|"error": ?\\{))`,
);
/** The same at the end of the data. */
const TERMINATOR_END = new RegExp(`"type": ?"(?:${END_EVENTS})" *\\}[\\r\\n]`);

const isTerminator = (text: string): boolean => TERMINATOR_START.test(text) || TERMINATOR_END.test(text);

/** How much of an incomplete line is kept for the next chunk. A terminator is recognized within so many characters. */
const MAX_KEPT_CHARS = 512;
/** The last event is complete: its line has ended, or only the line end is missing. */
const COMPLETE_LINE_END = /[\r\n\]}] *$/;

/** Reads every byte once, and remembers nothing but the incomplete line at the end of a chunk. */
export function createEndWatch(): EndWatch {
  let line = '\n';
  let found = false;

  return {
    push(chunk) {
      const text = line + chunk.toString('latin1');
      found ||= isTerminator(text);
      const last = text.slice(-MAX_KEPT_CHARS);
      line = last.slice(Math.max(0, last.lastIndexOf('\n'), last.lastIndexOf('\r')));
    },
    isComplete: () => (found || isTerminator(`${line}\n`)) && COMPLETE_LINE_END.test(line),
  };
}
