/**
 * A client that says exactly the bytes it is told and shows exactly the bytes it got, and how the connection ended.
 * node:http on this side would repair, refuse or hide what the tests are about.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

export interface Answered {
  readonly status: number;
  readonly reason: string;
  /** As they came: order, case, duplicates. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** False when the connection ended before the body did. */
  readonly complete: boolean;
  values(name: string): readonly string[];
  value(name: string): string | undefined;
}

export interface RawClient {
  readonly socket: Socket;
  say(bytes: string | Buffer): void;
  readonly bytes: Buffer;
  readonly closed: { readonly at: number; readonly how: 'fin' | 'rst' } | null;
  /** When each piece arrived, and the length received by then. */
  readonly arrivals: readonly { readonly at: number; readonly length: number }[];
  /** Everything received, read as responses; 1xx are among them. */
  answers(): readonly Answered[];
  /** Waits for so many final answers, whole ones. */
  heard(count: number, timeoutMs?: number): Promise<readonly Answered[]>;
  until(predicate: () => boolean, timeoutMs?: number): Promise<void>;
  ended(timeoutMs?: number): Promise<'fin' | 'rst'>;
  /** Leaves without a goodbye. */
  reset(): void;
  leave(): void;
}

export async function openClient(port: number, heads: readonly string[] = []): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const parts: Buffer[] = [];
  const arrivals: { at: number; length: number }[] = [];
  let length = 0;
  let closed: RawClient['closed'] = null;
  let all: Buffer | null = null;
  const close = (how: 'fin' | 'rst') => {
    closed ??= { at: performance.now(), how };
  };
  socket.on('data', (chunk: Buffer) => {
    parts.push(chunk);
    all = null;
    length += chunk.length;
    arrivals.push({ at: performance.now(), length });
  });
  socket.on('end', () => close('fin'));
  socket.on('error', () => close('rst'));
  socket.on('close', () => close('fin'));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });

  const client: RawClient = {
    socket,
    say: (bytes) => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    get bytes() {
      all ??= Buffer.concat(parts);
      return all;
    },
    get closed() {
      return closed;
    },
    arrivals,
    answers: () => parseAnswers(client.bytes, closed !== null, heads),
    heard: async (count, timeoutMs = PATIENCE_MS) => {
      const whole = () => client.answers().filter(({ status, complete }) => status >= 200 && complete);
      await client.until(() => whole().length >= count, timeoutMs);
      return whole();
    },
    until: async (predicate, timeoutMs = PATIENCE_MS) => {
      const deadline = performance.now() + timeoutMs;
      while (!predicate()) {
        if (performance.now() > deadline) {
          assert.fail(
            `waited ${timeoutMs} ms in vain; received ${JSON.stringify(client.bytes.toString('latin1', 0, 300))}`,
          );
        }
        await sleep(2);
      }
    },
    ended: async (timeoutMs = PATIENCE_MS) => {
      await client.until(() => closed !== null, timeoutMs);
      return closed!.how;
    },
    reset: () => void socket.resetAndDestroy(),
    leave: () => void socket.destroy(),
  };
  return client;
}

/** One conversation: says it, waits for so many whole answers, leaves. */
export async function talk(port: number, bytes: string | Buffer, count = 1): Promise<readonly Answered[]> {
  const text = typeof bytes === 'string' ? bytes : bytes.toString('latin1', 0, 8);
  const client = await openClient(port, text.startsWith('HEAD ') ? ['HEAD'] : []);
  client.say(bytes);
  try {
    return await client.heard(count);
  } finally {
    client.leave();
  }
}

export async function ask(port: number, bytes: string | Buffer): Promise<Answered> {
  const [answer] = await talk(port, bytes, 1);
  return answer!;
}

/** A request with its length counted; header lines as they shall stand. */
export function post(target: string, body: string | Buffer, ...lines: readonly string[]): Buffer {
  const bytes = Buffer.from(body);
  const head = [`POST ${target} HTTP/1.1`, 'Host: client.example', `Content-Length: ${bytes.length}`, ...lines, '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), bytes]);
}

export function get(target: string, ...lines: readonly string[]): string {
  return [`GET ${target} HTTP/1.1`, 'Host: client.example', ...lines, '', ''].join('\r\n');
}

function parseAnswers(bytes: Buffer, closed: boolean, heads: readonly string[]): readonly Answered[] {
  const answers: Answered[] = [];
  let at = 0;
  let finals = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end === -1) break;
    const [statusLine = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n');
    const match = /^HTTP\/1\.[01] (\d{3})(?: (.*))?$/.exec(statusLine);
    assert.ok(match, `not a status line: ${JSON.stringify(statusLine.slice(0, 120))}`);
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    const values = (name: string) =>
      headers.filter(([each]) => each.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
    const status = Number(match[1]);
    const bodiless = status < 200 || status === 204 || status === 304 || heads[finals] === 'HEAD';
    const framed = bodiless
      ? { body: Buffer.alloc(0), next: end + 4, complete: true }
      : bodyOf(bytes, end + 4, values('transfer-encoding')[0], values('content-length')[0], closed);
    if (status >= 200) finals += 1;
    answers.push({
      status,
      reason: match[2] ?? '',
      headers,
      body: framed.body,
      complete: framed.complete,
      values,
      value: (name) => values(name)[0],
    });
    if (!framed.complete) break;
    at = framed.next;
  }
  return answers;
}

function bodyOf(
  bytes: Buffer,
  start: number,
  coding: string | undefined,
  length: string | undefined,
  closed: boolean,
): { body: Buffer; next: number; complete: boolean } {
  if (coding === 'chunked') {
    const chunks: Buffer[] = [];
    let at = start;
    for (;;) {
      const lineEnd = bytes.indexOf('\r\n', at);
      const size = lineEnd === -1 ? NaN : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
      if (Number.isNaN(size) || bytes.length < lineEnd + 2 + size + 2) {
        return { body: Buffer.concat(chunks), next: bytes.length, complete: false };
      }
      if (size === 0) return { body: Buffer.concat(chunks), next: lineEnd + 4, complete: true };
      chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
      at = lineEnd + 2 + size + 2;
    }
  }
  if (length === undefined) return { body: bytes.subarray(start), next: bytes.length, complete: closed };
  const end = start + Number(length);
  return { body: bytes.subarray(start, Math.min(end, bytes.length)), next: end, complete: bytes.length >= end };
}
