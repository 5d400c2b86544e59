import { readFileSync } from 'node:fs';

/** A text of `train/written`. */
export interface WrittenRow {
  readonly id: string;
  readonly text: string;
  readonly label: string;
}

/** The lines of a file of `test/fixtures` that holds one object per line. */
export function fixtureLines<Line>(name: string): readonly Line[] {
  return linesOf(`../fixtures/${name}.jsonl`);
}

/** The labelled texts of a file of `train/written`. */
export function writtenRows(name: string): readonly WrittenRow[] {
  return linesOf(`../../../train/written/written_${name}.jsonl`);
}

function linesOf<Line>(path: string): readonly Line[] {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
