/** What the load sends: a body of some size and shape, each call in bytes of its own. */
import { chatRequest, SDK_HEADERS, stamp, stampPlaces } from './corpus.ts';

export interface BodyShape {
  readonly bytes: number;
  readonly turns: number;
  /** Which turns are written anew for every call. `last`: an agent that sends its history again, with one more message. */
  readonly stamps: 'all' | 'last';
}

/** Where a call goes, and how it looks. */
export interface Target {
  readonly port: number;
  readonly prefix: string;
  /** Beside those of the SDK. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Else that of the load's own parameters, in three turns that are all new. */
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

/** A call like no other: its own bytes, since a socket may still be writing those of the last. */
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
