import { existsSync, readFileSync } from 'node:fs';
import { parseFloorFile, type FloorFile } from '../eval/floor-file.ts';
import { runFrom, type EvalRun } from '../eval/record.ts';
import { misuse, type Arguments } from './command.ts';

/** Files of earlier runs. They are read before this run starts, which may take minutes. */
export interface EarlierFiles {
  /** The floors that must hold. */
  readonly floors: FloorFile | null;
  /** The run to compare with. */
  readonly run: EvalRun | null;
  /** The current content of the floor file that this run will overwrite. */
  readonly overwritten: FloorFile | null;
}

export function earlierFiles(args: Arguments): EarlierFiles {
  const [floors, run, toWrite] = [args.text('floors'), args.text('compare'), args.text('write-floors')];
  return {
    floors: floors === undefined ? null : readFloorFile(floors),
    run: run === undefined ? null : readRun(run),
    overwritten: toWrite === undefined || !existsSync(toWrite) ? null : readFloorFile(toWrite),
  };
}

export function readFloorFile(file: string): FloorFile {
  const read = parseFloorFile(textOf(file));
  if (typeof read === 'string') throw misuse(`${file} ${read}`);
  return read;
}

function readRun(file: string): EvalRun {
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
