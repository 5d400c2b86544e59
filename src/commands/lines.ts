import { createReadStream } from 'node:fs';

const LONGEST = 1_048_576;
const NEWLINE = 0x0a;

/** What is said of a line, or of a file, for which `linesOf` has no room. */
export const TOO_LONG = `is longer than ${LONGEST} bytes`;

export function isTooLong(bytes: number): boolean {
  return bytes > LONGEST;
}

/** Unlike node:readline, this does not buffer a line of arbitrary length. Null stands for a line that is too long. */
export async function* linesOf(file: string): AsyncGenerator<Buffer | null> {
  let parts: Buffer[] = [];
  let size = 0;
  const close = (): Buffer | null => {
    const line = isTooLong(size) ? null : Buffer.concat(parts);
    parts = [];
    size = 0;
    return line;
  };
  const take = (part: Buffer): void => {
    size += part.length;
    if (isTooLong(size)) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end));
      yield close();
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  if (size > 0) yield close();
}
