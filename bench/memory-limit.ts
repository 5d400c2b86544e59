/**
 * A bound on the memory of a process, set by the kernel where it lets us: a group of its own, in either generation of its
 * interface. Address space (`ulimit -v`) is no substitute, because the engine reserves gigabytes that it never touches.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MemoryLimit {
  /** `kernel`: beyond it the process is killed. `none`: only measured. */
  readonly held: 'kernel' | 'none';
  readonly admit: (pid: number) => void;
  /** Megabytes at most since it was set, with what the kernel keeps for the process; null where nobody counted. */
  readonly peakMb: () => number | null;
  /** How often the kernel had to take memory back, or to refuse it. */
  readonly pressed: () => number | null;
  readonly remove: () => void;
}

interface Interface {
  readonly root: string;
  /** What is there only in a group that can hold a limit. */
  readonly limit: string;
  readonly peak: string;
  readonly pressure: (folder: string) => number;
}

const INTERFACES: readonly Interface[] = [
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
    pressure: (folder) => Number(readFileSync(join(folder, 'memory.failcnt'), 'latin1')),
  },
  {
    root: '/sys/fs/cgroup',
    limit: 'memory.max',
    peak: 'memory.peak',
    pressure: (folder) => Number(/^max (\d+)$/m.exec(readFileSync(join(folder, 'memory.events'), 'latin1'))?.[1] ?? 0),
  },
];

const NONE: MemoryLimit = {
  held: 'none',
  admit: () => {},
  peakMb: () => null,
  pressed: () => null,
  remove: () => {},
};

let groups = 0;

export function limitMemory(mb: number, interfaces = INTERFACES): MemoryLimit {
  for (const found of interfaces) {
    groups += 1;
    const folder = join(found.root, `guard-bench-${process.pid}-${groups}`);
    if (!existsSync(found.root)) continue;
    try {
      mkdirSync(folder);
      if (existsSync(join(folder, found.limit))) {
        writeFileSync(join(folder, found.limit), String(mb * 2 ** 20));
        return limitAt(folder, found);
      }
    } catch {
      // Not ours to set; the next interface may be.
    }
    removed(folder);
  }
  return NONE;
}

function limitAt(folder: string, { peak, pressure }: Interface): MemoryLimit {
  return {
    held: 'kernel',
    admit: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    peakMb: () =>
      existsSync(join(folder, peak)) ? Number(readFileSync(join(folder, peak), 'latin1')) / 2 ** 20 : null,
    pressed: () => pressure(folder),
    remove: () => removed(folder),
  };
}

function removed(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Never made, or somebody is still in it, who ends soon.
  }
}
