/**
 * A memory limit for a process, enforced by the kernel where that is possible: a control group (cgroup) of its own,
 * v1 or v2. Limiting the address space (`ulimit -v`) is no substitute, because V8 reserves gigabytes that it never
 * uses.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MemoryLimit {
  /** `kernel`: the process is killed above the limit. `none`: memory is only measured. */
  readonly held: 'kernel' | 'none';
  readonly admit: (pid: number) => void;
  /** The peak in megabytes, including kernel memory for the process; null when it is unknown. */
  readonly peakMb: () => number | null;
  /** How often the kernel had to reclaim memory or to refuse it; null when it is unknown. */
  readonly pressed: () => number | null;
  readonly remove: () => void;
}

interface Interface {
  readonly root: string;
  /** The file that exists only in a group that supports a limit. */
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

/** Creates a group with a limit of `mb` megabytes, if the kernel permits it. */
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
      // No permission; the next interface may work.
    }
    removeGroup(folder);
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
    remove: () => removeGroup(folder),
  };
}

function removeGroup(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It was never created, or it still contains a process, which will end soon.
  }
}
