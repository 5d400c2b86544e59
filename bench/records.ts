/** Reads the newest record of each part from a folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Summary } from '../src/eval/summary.ts';
import type { RaceResults } from './race.ts';
import type { Machine } from './record.ts';
import type { ScaleResults } from './scale.ts';
import type { ScanResults } from './scan.ts';
import type { StreamResults } from './stream.ts';

export interface ResultsOf {
  readonly proxy: RaceResults;
  readonly peers: RaceResults;
  readonly scale: ScaleResults;
  readonly scan: ScanResults;
  readonly stream: StreamResults;
  readonly detect: Summary;
}

export type PartName = keyof ResultsOf;

export interface Kept<Results> {
  readonly part: PartName;
  readonly at: string;
  readonly machine: Machine;
  /** Partial, because an older record lacks what was not measured then. */
  readonly results: Sparse<Results>;
}

/** Makes all properties optional at every depth, except inside lists. */
export type Sparse<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: Sparse<Value[Key]> | undefined }
    : Value;

export type Records = { readonly [Part in PartName]?: Kept<ResultsOf[Part]> };

export function readRecords(folder: string): Records {
  const newest: Partial<Record<PartName, Kept<unknown>>> = {};
  for (const name of namesIn(folder)) {
    const read = recordIn(join(folder, name));
    if (read === null) continue;
    const known = newest[read.part];
    if (known === undefined || known.at < read.at) newest[read.part] = read;
  }
  return newest as Records;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function recordIn(file: string): Kept<unknown> | null {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Error(`${file} is no record`);
  }
  if (typeof read !== 'object' || read === null || !('part' in read) || !('at' in read) || !('results' in read))
    throw new Error(`${file} is no record`);
  return read as Kept<unknown>;
}
