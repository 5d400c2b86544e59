import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A labelled text and its corpus. */
export interface Row {
  readonly id: string;
  readonly text: string;
  readonly corpus: string;
  readonly label: string;
  readonly subtype: string;
  /** Rows of such a corpus are scored and counted, but not used for training. */
  readonly measuredOnly: boolean;
}

export interface Corpus {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly measuredOnly: boolean;
  readonly sha256: string;
}

/**
 * Reads all JSONL files of a folder. The second column of its INDEX.md says which may be used for training. A corpus
 * that is not listed as `train` is only measured, because a license must not be guessed.
 */
export function readCorpora(folder: string): Corpus[] {
  const index = readFileSync(join(folder, 'INDEX.md'), 'utf8');
  const trainable = new Set([...index.matchAll(/^\| `(\w+)` \| train \|/gm)].map((row) => row[1]!));
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((file) => {
      const name = file.replace(/\.jsonl$/, '');
      const bytes = readFileSync(join(folder, file));
      const measuredOnly = !trainable.has(name);
      const rows = bytes
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Row => {
          const { id, text, label, subtype = '' } = JSON.parse(line) as Row;
          return { id, text, label, subtype, corpus: name, measuredOnly };
        });
      return { name, rows, measuredOnly, sha256: createHash('sha256').update(bytes).digest('hex') };
    });
}
