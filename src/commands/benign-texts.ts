import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isTooLong, linesOf, TOO_LONG } from './lines.ts';

/** One text of a folder that is known to be benign. */
export interface BenignText {
  readonly kind: 'text';
  readonly place: string;
  readonly text: string;
}

/** Why a text could not be read. It is reported, because an unread text must not pass for a clean one. */
export interface UnreadText {
  readonly kind: 'unread';
  readonly place: string;
  readonly reason: string;
}

/**
 * Each .txt file is a text, and each line of a .jsonl file holds one in the key `text`. They are read lazily and line
 * by line, because a corpus may be larger than memory.
 */
export async function* benignTexts(folder: string): AsyncGenerator<BenignText | UnreadText> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:txt|jsonl)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) {
    if (file.endsWith('.jsonl')) yield* textsOfLines(file);
    else if (isTooLong((await stat(file)).size)) yield { kind: 'unread', place: file, reason: TOO_LONG };
    else yield { kind: 'text', place: file, text: await readFile(file, 'utf8') };
  }
}

async function* textsOfLines(file: string): AsyncGenerator<BenignText | UnreadText> {
  let line = 0;
  for await (const bytes of linesOf(file)) {
    line += 1;
    const place = `${file}:${line}`;
    if (bytes === null) yield { kind: 'unread', place, reason: TOO_LONG };
    else if (bytes.length > 0) yield textOf(bytes, place);
  }
}

function textOf(bytes: Buffer, place: string): BenignText | UnreadText {
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
