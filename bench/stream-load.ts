/**
 * The readers of the stream benchmark, in a process of their own. They open streams, count events and measure the
 * time to the first byte.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { chatRequest, SDK_HEADERS } from './corpus.ts';
import { serveControl } from './child.ts';

export type StreamTask =
  /** Reads `streams` streams to their end, all at the same time. */
  | {
      readonly kind: 'read';
      readonly port: number;
      readonly prefix: string;
      readonly streams: number;
      readonly events: number;
      readonly everyMs: number;
    }
  /** Measures the time to the first byte of calls made one after the other. */
  | { readonly kind: 'first-byte'; readonly port: number; readonly prefix: string; readonly calls: number }
  /**
   * Opens this many endless streams, a limited number per second, and returns once all are open. `close` closes them.
   */
  | {
      readonly kind: 'open';
      readonly port: number;
      readonly prefix: string;
      readonly streams: number;
      readonly everyMs: number;
    }
  | { readonly kind: 'close' }
  /** Reads one stream that contains a secret. `whole` is 1 when it ended normally. */
  | { readonly kind: 'leak'; readonly port: number; readonly prefix: string };

export interface StreamResult {
  readonly whole: number;
  readonly broken: number;
  /** Milliseconds, sorted. */
  readonly firstBytes: readonly number[];
  /** The number of open streams that were neither refused nor closed. */
  readonly alive: number;
}

interface Reader {
  readonly socket: Socket;
  refused: boolean;
}

const body = chatRequest(2048);
const kept: Reader[] = [];
const GIVE_UP_MS = 60_000;
const STAGGER_MS = 5;

serveControl(
  0,
  () => {},
  (task) => run(task as StreamTask),
);

async function run(task: StreamTask): Promise<StreamResult> {
  switch (task.kind) {
    case 'read': {
      const { port, prefix, streams, events, everyMs } = task;
      const all = Array.from({ length: streams }, async (_, n) => {
        // A thousand users do not send in the same millisecond. That case would be a different benchmark.
        await sleep(n * STAGGER_MS);
        return read(port, requestOf(port, prefix, events, everyMs), events);
      });
      const ended = await Promise.all(all);
      return resultOf(
        ended.map(({ firstByte }) => firstByte),
        ended.filter(({ whole }) => whole).length,
        streams,
      );
    }
    case 'first-byte': {
      const { port, prefix, calls } = task;
      const firstBytes: number[] = [];
      let whole = 0;
      for (let n = 0; n < calls; n += 1) {
        const one = await read(port, requestOf(port, prefix, 3, 1), 3);
        firstBytes.push(one.firstByte);
        if (one.whole) whole += 1;
      }
      return resultOf(firstBytes, whole, calls);
    }
    case 'open':
      return open(task);
    case 'leak': {
      const one = await read(task.port, requestOf(task.port, task.prefix, 'leak', 0), 1);
      return resultOf([one.firstByte], one.terminated ? 1 : 0, 1);
    }
    case 'close': {
      // Not decided by the time of the last data: a stream that is held back sends only a comment now and then.
      const alive = kept.filter(({ socket, refused }) => !refused && !socket.destroyed).length;
      for (const { socket } of kept.splice(0)) socket.destroy();
      return { whole: 0, broken: 0, firstBytes: [], alive };
    }
  }
}

function resultOf(firstBytes: readonly number[], whole: number, of: number): StreamResult {
  return { whole, broken: of - whole, firstBytes: [...firstBytes].sort((a, b) => a - b), alive: 0 };
}

function requestOf(port: number, prefix: string, events: number | 'leak', everyMs: number): Buffer {
  const lines = [
    `POST ${prefix}/${events}/${everyMs}/v1/chat/completions HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...SDK_HEADERS.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

const EVENT = Buffer.from('"content":');
const END = Buffer.from('0\r\n\r\n');
const REFUSED = /^HTTP\/1\.1 [45]/;

/** Counts events in chunks. Events that were sent together may arrive in pieces, split anywhere. */
function createEventCounter(): (chunk: Buffer) => number {
  let tail: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = tail.length === 0 ? chunk : Buffer.concat([tail, chunk]);
    let count = 0;
    let from = 0;
    for (let at = bytes.indexOf(EVENT); at !== -1; at = bytes.indexOf(EVENT, from)) {
      count += 1;
      from = at + EVENT.length;
    }
    tail = bytes.subarray(Math.max(from, bytes.length - EVENT.length + 1));
    return count;
  };
}

interface Reading {
  readonly whole: boolean;
  /** Whether it contained the frame that tells clients that the answer is complete. */
  readonly terminated: boolean;
  readonly firstByte: number;
}

function read(port: number, request: Buffer, events: number): Promise<Reading> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let startedAt = 0;
    let firstByte = Infinity;
    let seen = 0;
    const countEvents = createEventCounter();
    let terminated = false;
    const end = (whole: boolean): void => {
      socket.destroy();
      done({ whole, terminated, firstByte });
    };
    socket.setTimeout(GIVE_UP_MS, () => end(false));
    socket.once('connect', () => {
      startedAt = performance.now();
      socket.write(request);
    });
    socket.on('data', (chunk) => {
      if (firstByte === Infinity) firstByte = performance.now() - startedAt;
      seen += countEvents(chunk);
      if (chunk.includes('[DONE]')) terminated = true;
      if (chunk.subarray(-END.length).equals(END) || REFUSED.test(chunk.toString('latin1', 0, 16)))
        end(seen === events);
    });
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
  });
}

const PER_SECOND = 250;

async function open({ port, prefix, streams, everyMs }: StreamTask & { kind: 'open' }): Promise<StreamResult> {
  for (let n = 0; n < streams; n += 1) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const reader: Reader = { socket, refused: false };
    socket.once('connect', () => socket.write(requestOf(port, prefix, 100_000, everyMs)));
    socket.on('data', (chunk) => {
      reader.refused ||= REFUSED.test(chunk.toString('latin1', 0, 16));
    });
    socket.on('end', () => socket.destroy());
    socket.on('error', () => {});
    kept.push(reader);
    if (n % 25 === 24) await sleep((1000 * 25) / PER_SECOND);
  }
  return { whole: 0, broken: 0, firstBytes: [], alive: kept.filter(({ socket }) => !socket.destroyed).length };
}
