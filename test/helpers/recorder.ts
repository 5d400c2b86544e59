/**
 * An upstream that writes down every byte it is sent and answers exactly what the test tells it to.
 *
 *   const upstream = await startRecorder(json({ ok: true }));            // the same answer for ever
 *   const upstream = await startRecorder(({ index }) => ...);            // or one that depends on the request
 *   const upstream = await startRecorder(sse(['data: 1\n\n', 50, 'data: 2\n\n']));   // numbers are pauses, in ms
 *   const upstream = await startRecorder({ framing: 'chunked', body: ['half'], end: 'rst' });
 *   const upstream = await startRecorder({ raw: 'HTTP/1.1 099 no\r\n\r\n' });        // any bytes at all
 *
 *   upstream.url, upstream.port
 *   upstream.requests           every request seen; `requests.length` is "how many calls reached the upstream"
 *   upstream.requests[0].raw    head and body as they came: order, case and duplicates of the headers are visible
 *   upstream.connections[0].closed     null, or { at: performance.now(), how: 'fin' | 'rst' } once it has ended
 *   upstream.connections[0].pending    bytes after the last whole request: half a smuggled one shows up here
 *   upstream.violations         what a strict parser refuses (bare LF, two lengths, ...); assert that it is empty
 *   await upstream.waitFor(() => upstream.requests.length === 2)         // rejects when it never comes
 *   await upstream.close()
 *
 * node:net and a parser of its own instead of node:http, because node:http joins duplicate headers, folds case and hides
 * where one request ends and the next begins, which is what a smuggling test has to see. The parser is strict and reads
 * on while an answer is still being written, so two requests on one connection count as two.
 */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

export type HeaderPair = readonly [name: string, value: string];

export interface Recorded {
  /** 0 for the first request of the recorder, counted over all connections. */
  readonly index: number;
  readonly connection: Connection;
  readonly raw: Buffer;
  readonly method: string;
  readonly target: string;
  readonly version: string;
  /** As sent: order, case, duplicates. */
  readonly headers: readonly HeaderPair[];
  /** The bytes of the body, chunk framing removed. */
  readonly body: Buffer;
  /** All values of one header, in order; the name in any case. */
  values(name: string): readonly string[];
}

export interface Connection {
  readonly id: number;
  readonly requests: readonly Recorded[];
  readonly closed: { readonly at: number; readonly how: 'fin' | 'rst' } | null;
  readonly pending: Buffer;
  readonly bytesReceived: number;
  /** Bytes the kernel or Node has accepted from us; stays behind when the other side does not read. */
  readonly bytesSent: number;
  /** Ends it now, whatever is being answered; with an answer that hangs, the test decides when the upstream dies. */
  die(how: 'fin' | 'rst'): void;
}

export interface Answer {
  readonly status?: number;
  readonly reason?: string;
  /** Written in this order and case. The framing header is added unless it is given here. */
  readonly headers?: readonly HeaderPair[] | Readonly<Record<string, string>>;
  /** Pieces written one by one; a number is a pause in milliseconds. */
  readonly body?: string | Buffer | readonly (string | Buffer | number)[];
  readonly framing?: 'content-length' | 'chunked' | 'close';
  /** How it ends after the pieces: as the framing asks; cut off by FIN or RST before that; or never. */
  readonly end?: 'clean' | 'fin' | 'rst' | 'hang';
  /** A pause before the head. */
  readonly delayMs?: number;
  /** These bytes instead of everything above but `end` and `delayMs`. */
  readonly raw?: string | Buffer;
}

export type Answering = Answer | ((request: Recorded) => Answer | Promise<Answer>);

export interface RecorderOptions {
  readonly host?: string;
  readonly port?: number;
  /** `head`: answer as soon as the head is there, `raw` and `body` then being those of the head alone. */
  readonly answerAt?: 'end' | 'head';
}

export interface Recorder {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly Recorded[];
  readonly connections: readonly Connection[];
  readonly violations: readonly string[];
  waitFor<T>(predicate: () => T, timeoutMs?: number): Promise<NonNullable<T>>;
  close(): Promise<void>;
}

export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

export function sse(
  body: readonly (string | Buffer | number)[],
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { framing: 'chunked', headers: { 'content-type': 'text/event-stream', ...headers }, body };
}

export function ndjson(body: readonly (string | Buffer | number)[]): Answer {
  return { framing: 'chunked', headers: { 'content-type': 'application/x-ndjson' }, body };
}

/** The headers that mean the same on both sides of a proxy: those of one connection, and the clock's, are left out. */
export function endToEnd(headers: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
  const ofOneHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date', 'host']);
  const kept = [...headers].map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  return Object.fromEntries(kept.filter(([name]) => !ofOneHop.has(name)).sort());
}

export async function startRecorder(answering: Answering, options: RecorderOptions = {}): Promise<Recorder> {
  const { host = '127.0.0.1', port = 0, answerAt = 'end' } = options;
  const requests: Recorded[] = [];
  const connections: LiveConnection[] = [];
  const violations: string[] = [];

  const server = createServer({ noDelay: true }, (socket) => {
    const connection = liveConnection(connections.length, socket);
    connections.push(connection);
    let answers = Promise.resolve();
    const parser = strictParser({
      onHead: (head, raw) => {
        if (head.values('expect').some((value) => value.toLowerCase() === '100-continue')) {
          socket.write('HTTP/1.1 100 Continue\r\n\r\n');
        }
        if (answerAt === 'head') record(head, raw, Buffer.alloc(0));
      },
      onRequest: (head, raw, body) => {
        if (answerAt === 'end') record(head, raw, body);
      },
      onViolation: (what) => {
        violations.push(`connection ${connection.id}: ${what}`);
        answers = answers.then(
          () => void socket.end('HTTP/1.1 400 refused by the recorder\r\ncontent-length: 0\r\n\r\n'),
        );
      },
    });

    const record = (head: Head, raw: Buffer, body: Buffer) => {
      const recorded: Recorded = { ...head, index: requests.length, connection, raw, body };
      requests.push(recorded);
      connection.requests.push(recorded);
      answers = answers
        .then(async () => (typeof answering === 'function' ? await answering(recorded) : answering))
        .then((answer) => write(socket, answer))
        .catch((error: unknown) => {
          violations.push(`the answer to request ${recorded.index} failed: ${String(error)}`);
          socket.destroy();
        });
    };

    socket.on('data', (chunk: Buffer) => {
      connection.bytesReceived += chunk.length;
      connection.pending = parser(chunk);
    });
    socket.on('end', () => connection.close('fin'));
    socket.on('error', () => connection.close('rst'));
    socket.on('close', () => connection.close('fin'));
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const bound = (server.address() as AddressInfo).port;

  return {
    url: `http://${host}:${bound}`,
    port: bound,
    requests,
    connections,
    violations,
    waitFor: async (predicate, timeoutMs = PATIENCE_MS) => {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const value = predicate();
        if (value !== null && value !== undefined && value !== false) return value;
        if (performance.now() > deadline)
          throw new Error(`waited ${timeoutMs} ms in vain for: ${predicate.toString()}`);
        await sleep(2);
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const { socket } of connections) socket.destroy();
      }),
  };
}

interface LiveConnection extends Connection {
  readonly socket: Socket;
  readonly requests: Recorded[];
  pending: Buffer;
  bytesReceived: number;
  close(how: 'fin' | 'rst'): void;
}

function liveConnection(id: number, socket: Socket): LiveConnection {
  let closed: Connection['closed'] = null;
  return {
    id,
    socket,
    requests: [],
    pending: Buffer.alloc(0),
    bytesReceived: 0,
    get bytesSent() {
      return socket.bytesWritten;
    },
    die: (how) => void (how === 'rst' ? socket.resetAndDestroy() : socket.end()),
    get closed() {
      return closed;
    },
    close: (how) => {
      closed ??= { at: performance.now(), how };
    },
  };
}

async function write(socket: Socket, answer: Answer): Promise<void> {
  const { status = 200, reason = '', delayMs = 0, end = 'clean', raw } = answer;
  if (delayMs > 0) await pause(socket, delayMs);
  if (raw !== undefined) {
    await send(socket, raw);
    return finish(socket, end);
  }
  const pieces = Array.isArray(answer.body) ? answer.body : [answer.body ?? ''];
  const framing = answer.framing ?? 'content-length';
  const headers = pairs(answer.headers ?? []);
  const framed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const length = pieces.reduce<number>(
    (sum, piece) => sum + (typeof piece === 'number' ? 0 : Buffer.byteLength(piece)),
    0,
  );
  if (!framed && framing === 'chunked') headers.push(['transfer-encoding', 'chunked']);
  // Cut off on purpose: then the length promised is one more than what comes, or nobody could tell that it was cut.
  if (!framed && framing === 'content-length') {
    headers.push(['content-length', String(end === 'clean' ? length : length + 1)]);
  }
  if (framing === 'close' && !headers.some(([name]) => /^connection$/i.test(name)))
    headers.push(['connection', 'close']);
  const head = [`HTTP/1.1 ${status} ${reason}`, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  // latin1: one byte for each character, so that a test can put any byte into a header.
  await send(socket, Buffer.from(`${head}\r\n\r\n`, 'latin1'));
  for (const piece of pieces) {
    if (socket.destroyed) return;
    if (typeof piece === 'number') await pause(socket, piece);
    else if (framing === 'chunked') await send(socket, chunkOf(piece));
    else await send(socket, piece);
  }
  if (end === 'clean' && framing === 'chunked') await send(socket, '0\r\n\r\n');
  finish(socket, end === 'clean' && framing === 'close' ? 'fin' : end);
}

/** Over when the other side leaves: a timer that outlives its connection would keep the test process alive. */
async function pause(socket: Socket, ms: number): Promise<void> {
  if (socket.destroyed) return;
  const left = new AbortController();
  const abort = () => left.abort();
  socket.once('close', abort);
  await sleep(ms, undefined, { signal: left.signal }).catch(() => undefined);
  socket.off('close', abort);
}

function finish(socket: Socket, end: NonNullable<Answer['end']>): void {
  if (end === 'fin') socket.end();
  if (end === 'rst') socket.resetAndDestroy();
}

function pairs(headers: NonNullable<Answer['headers']>): HeaderPair[] {
  return Array.isArray(headers) ? [...(headers as readonly HeaderPair[])] : Object.entries(headers);
}

function chunkOf(piece: string | Buffer): Buffer {
  const bytes = Buffer.from(piece);
  if (bytes.length === 0) return bytes;
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

function send(socket: Socket, bytes: string | Buffer): Promise<void> {
  if (socket.destroyed || bytes.length === 0 || socket.write(bytes)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}

interface Head {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly HeaderPair[];
  values(name: string): readonly string[];
}

interface ParserEvents {
  onHead(head: Head, raw: Buffer): void;
  onRequest(head: Head, raw: Buffer, body: Buffer): void;
  onViolation(what: string): void;
}

/** Feeds on chunks, tells what it finds, and returns the bytes that are no whole request yet. */
function strictParser({ onHead, onRequest, onViolation }: ParserEvents): (chunk: Buffer) => Buffer {
  let parts: Buffer[] = [];
  let size = 0;
  let head: { readonly value: Head; readonly bytes: number } | null = null;
  let refused = false;
  /** Nothing can be decided before this many bytes are there; joining on every chunk of a large body would be quadratic. */
  let needed = 0;

  return (chunk) => {
    parts.push(chunk);
    size += chunk.length;
    if (refused || size < needed) return parts.length === 1 ? chunk : Buffer.concat(parts);
    let bytes = Buffer.concat(parts);
    try {
      for (;;) {
        if (head === null) {
          const end = bytes.indexOf('\r\n\r\n');
          if (end === -1) break;
          head = { value: parseHead(bytes.toString('latin1', 0, end)), bytes: end + 4 };
          onHead(head.value, bytes.subarray(0, head.bytes));
        }
        const framed = parseBody(head.value, bytes.subarray(head.bytes));
        if (framed.kind === 'more') {
          needed = head.bytes + framed.atLeast;
          break;
        }
        const total = head.bytes + framed.bytes;
        const { value } = head;
        head = null;
        needed = 0;
        onRequest(value, Buffer.from(bytes.subarray(0, total)), framed.body);
        bytes = bytes.subarray(total);
      }
    } catch (error) {
      refused = true;
      onViolation(error instanceof Error ? error.message : String(error));
    }
    parts = [bytes];
    size = bytes.length;
    return bytes;
  };
}

function parseHead(text: string): Head {
  const [requestLine = '', ...lines] = text.split('\r\n');
  if (/[\r\n]/.test(text.replaceAll('\r\n', ''))) throw new Error('a bare CR or LF in the head');
  const line = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([\x21-\xFF]+) (HTTP\/1\.[01])$/.exec(requestLine);
  if (line === null) throw new Error(`not a request line: ${JSON.stringify(requestLine)}`);
  const headers = lines.map((each): HeaderPair => {
    const header = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/s.exec(each);
    if (header === null) throw new Error(`not a header: ${JSON.stringify(each)}`);
    return [header[1] ?? '', (header[2] ?? '').replace(/[ \t]+$/, '')];
  });
  const values = (name: string) =>
    headers.filter(([each]) => each.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
  if (values('host').length > 1) throw new Error('two Host headers');
  return { method: line[1] ?? '', target: line[2] ?? '', version: line[3] ?? '', headers, values };
}

type Framed =
  | { readonly kind: 'more'; readonly atLeast: number }
  | { readonly kind: 'done'; readonly bytes: number; readonly body: Buffer };

function parseBody(head: Head, bytes: Buffer): Framed {
  const lengths = head.values('content-length');
  const codings = head.values('transfer-encoding');
  if (lengths.length > 0 && codings.length > 0) throw new Error('Content-Length beside Transfer-Encoding');
  if (lengths.length > 1) throw new Error('two Content-Length headers');
  if (codings.length > 0) {
    if (codings.length > 1 || codings[0] !== 'chunked') throw new Error(`Transfer-Encoding: ${codings.join(', ')}`);
    return parseChunks(bytes);
  }
  const [length = '0'] = lengths;
  if (!/^\d+$/.test(length)) throw new Error(`Content-Length: ${length}`);
  const wanted = Number(length);
  if (bytes.length < wanted) return { kind: 'more', atLeast: wanted };
  return { kind: 'done', bytes: wanted, body: Buffer.from(bytes.subarray(0, wanted)) };
}

function parseChunks(bytes: Buffer): Framed {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return { kind: 'more', atLeast: bytes.length + 1 };
    const line = bytes.toString('latin1', at, lineEnd);
    if (!/^[0-9A-Fa-f]{1,8}$/.test(line)) throw new Error(`not a chunk size: ${JSON.stringify(line)}`);
    const size = Number.parseInt(line, 16);
    const start = lineEnd + 2;
    // The last chunk of size 0 is followed by the empty line alone: a trailer is one more place to hide a header in.
    if (bytes.length < start + size + 2) return { kind: 'more', atLeast: start + size + 2 };
    if (bytes.toString('latin1', start + size, start + size + 2) !== '\r\n') {
      throw new Error(size === 0 ? 'a trailer after the last chunk' : 'a chunk longer than its size');
    }
    if (size === 0) return { kind: 'done', bytes: start + 2, body: Buffer.concat(chunks) };
    chunks.push(Buffer.from(bytes.subarray(start, start + size)));
    at = start + size + 2;
  }
}
