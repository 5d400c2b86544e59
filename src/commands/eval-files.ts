import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseFloorFile, type FloorFile } from '../eval/floor-file.ts';
import { runFrom, type EvalRun } from '../eval/record.ts';
import { misuse, type Arguments } from './command.ts';

/** Files of earlier runs, and those that this one writes. The earlier ones are read before this run starts, which may take minutes. */
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

/** The flags that name a file for a result. */
const RESULTS = ['json', 'svg', 'write-floors'] as const;

/** Refuses what cannot be written before the run, whose result would be lost. */
export function mustBeWritable(args: Arguments): void {
  for (const flag of RESULTS) {
    const file = args.text(flag);
    const fault = file === undefined ? null : faultOfWriting(file);
    if (fault !== null) throw misuse(`--${flag}: ${file} cannot be written: ${fault}`);
  }
}

function faultOfWriting(file: string): string | null {
  const folder = dirname(file);
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there?.isDirectory() === true) return 'it is a folder';
    if (there === undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      return `there is no folder ${folder}; make it first`;
    accessSync(there === undefined ? folder : file, constants.W_OK);
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

/** Writes a result. What keeps it from being written, such as a full disk, is said, and the other results are kept. */
export function writeResult(file: string, content: string): boolean {
  try {
    writeFileSync(file, content);
    return true;
  } catch (error) {
    console.error(`guard: ${file} cannot be written (${codeOf(error)})`);
    return false;
  }
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
    throw misuse(`${file} cannot be read (${codeOf(error)})`);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown reason';
}
