/** The record of a run: the machine and all results, so that a figure in the documentation can be traced to its run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly node: string;
  /** The load average of the last minute before the run: a shared machine gives noisy results. */
  readonly load: number;
}

export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    load: Math.round(loadavg()[0]! * 100) / 100,
  };
}

/**
 * Writes `<date>-<machine>-<part>.json`. The machine is described by its hardware, because a host name may reveal its
 * owner.
 */
export function writeRecord(
  folder: string,
  part: string,
  machine: Machine,
  results: unknown,
  now = new Date(),
): string {
  mkdirSync(folder, { recursive: true });
  const kind = `${machine.cpu}-${machine.cores}-cores-node${machine.node.slice(1).split('.')[0]}`;
  const slug = kind.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const file = join(folder, `${now.toISOString().slice(0, 10)}-${slug}-${part}.json`);
  writeFileSync(file, `${JSON.stringify({ part, at: now.toISOString(), machine, results }, null, 2)}\n`);
  return file;
}
