import { existsSync, readFileSync } from 'node:fs';

/** For tests that need it: where there is no /proc, they are left out and say why. */
export const skipWithoutProc = existsSync('/proc/self/status') ? false : 'what a process takes is read from /proc';

/** The memory that a process takes, in megabytes. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024;
}
