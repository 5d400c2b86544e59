/** The answer in a provider's format, before anything is written to a socket. */
import type { Json } from './conversation.ts';
import type { Identifiers } from './identifiers.ts';

export interface Call {
  readonly body: Json;
  readonly ids: Identifiers;
  /** Milliseconds since the epoch, passed in so that a test can stop the clock. */
  readonly now: number;
}

export type Reply =
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'stream'; readonly contentType: string; readonly frames: readonly string[] }
  | { readonly kind: 'invalid'; readonly message: string };

export function json(body: unknown): Reply {
  return { kind: 'json', body };
}

export function invalid(message: string): Reply {
  return { kind: 'invalid', message };
}

export function eventStream(frames: readonly string[]): Reply {
  return { kind: 'stream', contentType: 'text/event-stream; charset=utf-8', frames };
}

/** A frame whose event name repeats the `type` of its data, as in the streams of the Responses and Messages APIs. */
export function typedFrame(event: { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

export function dataFrame(event: unknown): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

export function jsonLine(event: unknown): string {
  return `${JSON.stringify(event)}\n`;
}
