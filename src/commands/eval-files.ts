import { existsSync, readFileSync } from 'node:fs';
import { lineFrom, type Line } from '../eval/floors.ts';
import { runFrom, type EvalRun } from '../eval/record.ts';
import { misuse } from './command.ts';

/** Files of earlier runs, read before this run starts, which may take minutes. */
export interface Given {
  readonly line: Line | null;
  readonly before: EvalRun | null;
  /** The current content of the floor file that will be overwritten. */
  readonly drawn: Line | null;
}

export function lineIn(file: string | undefined): Line | null {
  if (file === undefined) return null;
  const line = lineFrom(textOf(file));
  if (typeof line === 'string') throw misuse(`${file} ${line}`);
  return line;
}

export function drawnIn(file: string | undefined): Line | null {
  return file === undefined || !existsSync(file) ? null : lineIn(file);
}

export function runIn(file: string | undefined): EvalRun | null {
  if (file === undefined) return null;
  const run = runFrom(textOf(file));
  if (run === null) throw misuse(`${file} is not a run that --json saved`);
  return run;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw misuse(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`);
  }
}
