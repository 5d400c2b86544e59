import type { IncomingMessage } from 'node:http';

/** Headers that may occur only once. With two of them, two parsers may understand the request differently. */
const SINGLE = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'authorization',
  'x-api-key',
]);

const MAX_HEADERS = 100;

export type HeadFault =
  'version' | 'host' | 'duplicate' | 'header-name' | 'header-count' | 'transfer-encoding' | 'framing';

/**
 * Rejects request heads that Node's parser accepts, but that other parsers may read differently. Null when all is fine.
 */
export function headFault(request: IncomingMessage): HeadFault | null {
  const raw = request.rawHeaders;
  if (request.httpVersionMajor !== 1) return 'version';
  if (raw.length > MAX_HEADERS * 2) return 'header-count';
  const headers = request.headers;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    // Node decodes only `chunked`. With `gzip, chunked` the body would be compressed without any header that says so.
    if (coding.toLowerCase() !== 'chunked') return 'transfer-encoding';
    if (request.httpVersionMinor === 0 || headers['content-length'] !== undefined) return 'framing';
  }
  if (request.httpVersionMinor === 1 && headers.host === undefined) return 'host';
  let seen = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    // In a header object a property of this name would be lost, or would set the prototype.
    if (name === '__proto__') return 'header-name';
    const bit = singleBit(name);
    if (bit === 0) continue;
    if ((seen & bit) !== 0) return 'duplicate';
    seen |= bit;
  }
  return null;
}

/** Returns a function that gives each of these headers a bit of its own, and 0 to any other. */
export function bitsOf(names: ReadonlySet<string>): (name: string) => number {
  const bits = new Map([...names].map((name, index) => [name, 1 << index]));
  // The lengths of the names, one bit each, so that most headers need no lookup. The shift counts modulo 32: a longer
  // name shares its bit with a shorter one, and is looked up.
  let lengths = 0;
  for (const { length } of names) lengths |= 1 << length;
  return (name) => {
    if ((lengths & (1 << name.length)) === 0) return 0;
    return bits.get(name) ?? bits.get(name.toLowerCase()) ?? 0;
  };
}

const singleBit = bitsOf(SINGLE);
