import type { Run } from './runs.ts';

/**
 * The lines that a program may have wrapped a code into, from its first line on: all but the last are as long as the
 * first.
 */
export function linesFrom(text: string, first: Run, endOf: (start: number) => number): Run[] {
  const width = first.end - first.start;
  const lines = [first];
  for (let last = first; last.end - last.start === width;) {
    const start = afterNewline(text, last.end);
    const end = start === null ? 0 : endOf(start);
    if (start === null || end === start || end - start > width) break;
    last = { start, end };
    lines.push(last);
  }
  return lines;
}

/** Where the next line begins, after indentation and quotation marks; null if the line does not end at `at`. */
function afterNewline(text: string, at: number): number | null {
  let next = at;
  if (text[next] === '\r') next++;
  if (text[next] !== '\n') return null;
  next++;
  while (text[next] === ' ' || text[next] === '\t' || text[next] === '>') next++;
  return next;
}
