import { readFileSync } from 'node:fs';

/** The lines of a file of `test/fixtures` that holds one object per line. */
export function fixtureLines<Line>(name: string): readonly Line[] {
  return readFileSync(new URL(`../fixtures/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
