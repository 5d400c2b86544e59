/** The requests of the load: bodies of a given size and shape, each one unique. */
import { chatRequest, SDK_HEADERS, stamp, stampPlaces } from './corpus.ts';

export interface BodyShape {
  readonly bytes: number;
  readonly turns: number;
  /** Which turns differ from call to call. `last`: an agent that sends its history again with one more message. */
  readonly stamps: 'all' | 'last';
}

/** Where a call goes, and its form. */
export interface Target {
  readonly port: number;
  readonly prefix: string;
  /** Sent in addition to the headers of the SDK. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** If absent, a body of the load's configured size, in three turns that all differ from call to call. */
  readonly body?: BodyShape;
}

export function requestOf({ port, prefix, headers = [] }: Target, body: Buffer): Buffer {
  const lines = [
    `POST ${prefix}/v1/chat/completions HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: keep-alive',
    ...[...SDK_HEADERS, ...headers].map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

let calls = 0;

/**
 * Returns a function that makes unique calls. Each has its own buffer, because a socket may still be writing the last
 * one.
 */
export function chatCalls(target: Target, usual: number): () => Buffer {
  const { bytes, turns, stamps } = target.body ?? { bytes: usual, turns: 3, stamps: 'all' };
  const request = requestOf(target, chatRequest(bytes, 1, turns));
  const all = stampPlaces(request);
  const places = stamps === 'all' ? all : all.slice(-1);
  return () => {
    const copy = Buffer.from(request);
    calls += 1;
    stamp(copy, places, calls);
    return copy;
  };
}
