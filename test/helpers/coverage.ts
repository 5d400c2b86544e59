/** The cells of the coverage matrix: a canary in every field, in every coding, under every label, through a real proxy. */
import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as zlib from 'node:zlib';
import type { Role } from '../../src/domain/passage.ts';
import { startGuard, type Guard } from './guard.ts';

export interface Field {
  readonly wire: string;
  readonly path: string;
  readonly role: Role;
  readonly body: unknown;
}

/** Every place where the providers' wire formats let text stand; `@@` marks it, `@@data` and `@@b64` stand for a file of text. */
export const FIELDS = JSON.parse(
  readFileSync(new URL('../fixtures/wire/fields.json', import.meta.url), 'utf8'),
) as readonly Field[];

export function bodyWith(field: Field, canary: string): string {
  const file = Buffer.from(`A file about nothing. ${canary} ${'More of nothing. '.repeat(40)}`).toString('base64');
  return JSON.stringify(field.body)
    .replaceAll('@@data', `data:text/plain;base64,${file}`)
    .replaceAll('@@b64', file)
    .replaceAll('@@', canary);
}

export interface Coding {
  readonly name: string;
  readonly header: string | null;
  readonly bytes: (body: string) => Buffer;
}

const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf32le = (text: string): Buffer => {
  const points = [...text].map((char) => char.codePointAt(0) as number);
  const bytes = Buffer.alloc(points.length * 4);
  points.forEach((point, at) => bytes.writeUInt32LE(point, at * 4));
  return bytes;
};
const escaped = (body: string): string =>
  body.replace(/[A-Za-z](?=[^"]* [^"]*")/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** One frame of one stored block, so that it can be made where zlib has no zstd. */
function zstd(body: string): Buffer {
  const content = Buffer.from(body);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  const block = Buffer.alloc(4);
  block.writeUInt32LE((content.length << 3) | 1);
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), size, block.subarray(0, 3), content]);
}

const plain = (name: string, bytes: (body: string) => Buffer): Coding => ({ name, header: null, bytes });

export const CODINGS: readonly Coding[] = [
  plain('unchanged', (body) => Buffer.from(body)),
  plain('letters as JSON escapes', (body) => Buffer.from(escaped(body))),
  { name: 'gzip', header: 'gzip', bytes: (body) => zlib.gzipSync(body) },
  { name: 'br', header: 'br', bytes: (body) => zlib.brotliCompressSync(body) },
  { name: 'deflate', header: 'deflate', bytes: (body) => zlib.deflateSync(body) },
  { name: 'raw deflate', header: 'deflate', bytes: (body) => zlib.deflateRawSync(body) },
  { name: 'gzip in br', header: 'gzip, br', bytes: (body) => zlib.brotliCompressSync(zlib.gzipSync(body)) },
  { name: 'zstd', header: 'zstd', bytes: zstd },
  plain('UTF-8 with BOM', (body) => Buffer.from(`\ufeff${body}`)),
  plain('UTF-16LE', utf16le),
  plain('UTF-16LE with BOM', (body) => utf16le(`\ufeff${body}`)),
  plain('UTF-16BE', (body) => utf16le(body).swap16()),
  plain('UTF-16BE with BOM', (body) => utf16le(`\ufeff${body}`).swap16()),
  plain('UTF-32LE', utf32le),
  plain('UTF-32BE with BOM', (body) => utf32le(`\ufeff${body}`).swap32()),
];

export interface Label {
  readonly name: string;
  readonly value: string | null;
}

export const LABELS: readonly Label[] = [
  { name: 'application/json', value: 'application/json' },
  { name: 'text/plain', value: 'text/plain; charset=utf-8' },
  { name: 'none', value: null },
  { name: 'octet-stream', value: 'application/octet-stream' },
  { name: 'image/png', value: 'image/png' },
  { name: 'form', value: 'application/x-www-form-urlencoded' },
  { name: 'multipart', value: 'multipart/form-data; boundary=x' },
];

export interface Sending {
  readonly wire: string;
  readonly path: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** `blocked`: the policy said so. `refused`: not read, and not forwarded either. Anything else is a hole. */
type Ending = 'blocked' | 'refused' | 'forwarded' | `status ${number}`;

export interface Answered {
  readonly ending: Ending;
  /** X-Guard-Scanned: whether all text in it was read. */
  readonly scanned: string;
}

export interface Range {
  readonly guard: Guard;
  /** Requests of which the upstream has seen as much as the first line. */
  readonly reached: () => number;
  send(sending: Sending): Promise<Answered>;
  close(): Promise<void>;
}

const WIRES = ['openai', 'anthropic', 'ollama', 'generic', 'auto'];

export async function startRange(policy: Readonly<Record<string, unknown>>): Promise<Range> {
  let reached = 0;
  const upstream = http.createServer((request, response) => {
    reached++;
    request.resume().on('end', () => response.setHeader('x-reached', '1').end('{}'));
  });
  await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const guard = await startGuard({
    upstreams: Object.fromEntries(WIRES.map((wire) => [wire, { url, wire }])),
    config: { scanner: { threads: 2 }, policy, security: { failure_mode: 'closed', scanner_timeout_ms: 60_000 } },
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  return {
    guard,
    reached: () => reached,
    send: (sending) => send(guard.port, agent, sending),
    close: async () => {
      agent.destroy();
      await guard.close();
      upstream.closeAllConnections();
      await new Promise<void>((resolve) => void upstream.close(() => resolve()));
    },
  };
}

function send(
  port: number,
  agent: http.Agent,
  { wire, path, method = 'POST', headers, bytes }: Sending,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path: `/${wire}${path}`,
        headers: { ...headers, 'content-length': bytes.length },
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => void pieces.push(piece));
        response.on('end', () => {
          const scanned = String(response.headers['x-guard-scanned']);
          resolve({ ending: endingOf(response, Buffer.concat(pieces).toString()), scanned });
        });
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(bytes);
  });
}

const REFUSED: ReadonlySet<string> = new Set([
  'unscannable_content',
  'unsupported_encoding',
  'payload_too_large',
  'upgrade_required',
]);

function endingOf(response: http.IncomingMessage, body: string): Ending {
  if (response.headers['x-reached'] !== undefined) return 'forwarded';
  const type = body.startsWith('{"error":') ? (JSON.parse(body) as { error: { type: string } }).error.type : '';
  if (type === 'content_blocked') return 'blocked';
  return REFUSED.has(type) ? 'refused' : `status ${response.statusCode ?? 0}`;
}

export interface Cell {
  readonly field: Field;
  readonly coding: Coding;
  readonly label: Label;
  readonly canary: string;
}

export function sendingOf({ field, coding, label, canary }: Cell): Sending {
  const headers: Record<string, string> = {};
  if (label.value !== null) headers['content-type'] = label.value;
  if (coding.header !== null) headers['content-encoding'] = coding.header;
  return { wire: field.wire, path: field.path, headers, bytes: coding.bytes(bodyWith(field, canary)) };
}

export const BLOCKING_EVERY_ROLE = {
  roles: { system: 'block', developer: 'block', assistant: 'block', tool_definition: 'block' },
} as const;

/** Starts a range, and closes it whatever happens on it. */
export async function onRange<T>(
  policy: Readonly<Record<string, unknown>>,
  work: (range: Range) => Promise<T>,
): Promise<T> {
  const range = await startRange(policy);
  try {
    return await work(range);
  } finally {
    await range.close();
  }
}

/** In lanes, so that the proxy is never idle and never overloaded. */
export async function endingsOf<T>(
  range: Range,
  cells: readonly T[],
  sending: (cell: T) => Sending,
  each: (cell: T, ending: string) => void,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < cells.length; at = next++)
      each(cells[at] as T, (await range.send(sending(cells[at] as T))).ending);
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
}
