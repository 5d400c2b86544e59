/** X17 as well: a text in the fields of rows, as tools hand over what people said, wrote or logged. Read down, it is the text. */
import { chunks } from './encoders-binary.ts';
import type { Encoder } from './encoders.ts';

const rows = (name: string, words: number, encode: (rows: readonly string[]) => string): Encoder => ({
  row: 'X17',
  name: `${name}, ${words} ${words === 1 ? 'word' : 'words'} a row`,
  carries: 'anything',
  gives: 'anything',
  pairs: 'last',
  encode: (text) => {
    const all = text.split(' ');
    const count = Math.ceil(all.length / words);
    return encode(Array.from({ length: count }, (_, at) => all.slice(at * words, (at + 1) * words).join(' ')));
  },
});
/** Cut by length, as runs of one style are: in the middle of words. */
const runs = (name: string, size: number, encode: (runs: readonly string[]) => string): Encoder => ({
  row: 'X17',
  name: `${name}, ${size} characters a run`,
  carries: 'anything',
  gives: 'anything',
  pairs: 'last',
  encode: (text) => encode(chunks(text, size)),
});

const two = (number: number): string => String(number).padStart(2, '0');
const at = (row: number): string => `00:${two(Math.floor(row / 30))}:${two((row * 2) % 60)}`;
const list = (items: readonly object[]): string => JSON.stringify(items);

export const ROW_ENCODERS: readonly Encoder[] = [
  rows('captions', 3, (said) =>
    said.map((text, row) => `${row + 1}\n${at(row)},000 --> ${at(row)},900\n${text}\n`).join('\n'),
  ),
  rows('a transcript in JSON', 2, (said) =>
    list(said.map((text, row) => ({ text, start: row * 1.5, duration: 1.48 }))),
  ),
  rows('lines of a log', 1, (said) =>
    said.map((text, row) => `2026-03-04T10:00:${two(row)}Z INFO [worker-${row % 3}] chat: ${text}`).join('\n'),
  ),
  rows(
    'a column of a table',
    2,
    (said) =>
      `| id | comment | score |\n|---|---|---|\n${said.map((text, row) => `| ${row + 1} | ${text} | 0.${row} |`).join('\n')}`,
  ),
  rows('values of a record', 1, (said) => JSON.stringify(Object.fromEntries(said.map((text, row) => [row + 1, text])))),
  rows('options of a form', 3, (said) => said.map((text, row) => `<option value="${row}">${text}</option>`).join('\n')),
  runs('runs of rich text', 9, (parts) => list(parts.map((text) => ({ type: 'text', text })))),
  runs('runs of a document', 15, (parts) =>
    parts.map((text) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`).join(''),
  ),
];
