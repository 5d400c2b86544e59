import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** One text of a folder, or why it could not be read: an unread text must not pass for a clean one. */
export type Benign =
  | { readonly kind: 'text'; readonly place: string; readonly text: string }
  | { readonly kind: 'unread'; readonly place: string; readonly reason: string };

const LONGEST = 1_048_576;
const NEWLINE = 0x0a;

/**
 * Each .txt file is a text, and each line of a .jsonl file holds one in the key `text`. They are read lazily and line
 * by line, because a corpus may be larger than memory.
 */
export async function* benignTexts(folder: string): AsyncGenerator<Benign> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:txt|jsonl)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) {
    if (file.endsWith('.jsonl')) yield* textsOfLines(file);
    else if ((await stat(file)).size > LONGEST) yield { kind: 'unread', place: file, reason: TOO_LONG };
    else yield { kind: 'text', place: file, text: await readFile(file, 'utf8') };
  }
}

const TOO_LONG = `is longer than ${LONGEST} bytes`;

async function* textsOfLines(file: string): AsyncGenerator<Benign> {
  let line = 0;
  for await (const bytes of linesOf(file)) {
    line += 1;
    const place = `${file}:${line}`;
    if (bytes === null) yield { kind: 'unread', place, reason: TOO_LONG };
    else if (bytes.length > 0) yield textOf(bytes, place);
  }
}

function textOf(bytes: Buffer, place: string): Benign {
  let row: unknown;
  try {
    row = JSON.parse(bytes.toString('utf8'));
  } catch {
    return { kind: 'unread', place, reason: 'is not JSON' };
  }
  const text = typeof row === 'object' && row !== null && 'text' in row ? row.text : undefined;
  if (typeof text !== 'string') return { kind: 'unread', place, reason: "has no text under the key 'text'" };
  return { kind: 'text', place, text };
}

/** Unlike node:readline, this does not buffer a line of arbitrary length. Null stands for a line that is too long. */
export async function* linesOf(file: string): AsyncGenerator<Buffer | null> {
  let parts: Buffer[] = [];
  let size = 0;
  const close = (): Buffer | null => {
    const line = size > LONGEST ? null : Buffer.concat(parts);
    parts = [];
    size = 0;
    return line;
  };
  const take = (part: Buffer): void => {
    size += part.length;
    if (size > LONGEST) parts = [];
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
