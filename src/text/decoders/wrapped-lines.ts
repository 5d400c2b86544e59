import type { Run } from './runs.ts';

/** A code and the lines below it that a program may have wrapped it into: all but the last are as long as the first. */
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

/** Where the next line begins, past its indentation; null where the line does not end here. */
function afterNewline(text: string, at: number): number | null {
  let next = at;
  if (text[next] === '\r') next++;
  if (text[next] !== '\n') return null;
  next++;
  while (text[next] === ' ' || text[next] === '\t' || text[next] === '>') next++;
  return next;
}
