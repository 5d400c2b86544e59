import { crc32 } from 'node:zlib';

/**
 * An error as a message of a binary event stream (domain/event-message.ts). Of the two kinds that clients raise on, the
 * one that belongs to no single API.
 */
export function errorMessage(code: string, message: string): Buffer {
  const headers = Buffer.concat(
    [
      [':message-type', 'error'],
      [':error-code', code],
      [':error-message', message],
    ].map(([name, value]) => header(name!, value!)),
  );
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(headers.length + 16, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const checked = Buffer.concat([prelude, checksum(prelude), headers]);
  return Buffer.concat([checked, checksum(checked)]);
}

/** The type of a header that is a string. */
const STRING = 7;

function header(name: string, value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([STRING, bytes.length >> 8, bytes.length & 0xff]),
    bytes,
  ]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes), 0);
  return sum;
}
