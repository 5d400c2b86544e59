import { statSync } from 'node:fs';
import type { Loaded } from '../config/load.ts';
import { formatProblem, type Problem } from '../domain/problem.ts';
import type { Service } from '../service.ts';

/** Reloads of the configuration while the proxy runs. */

/**
 * How often the file is checked for changes. Kubernetes replaces a mounted file by renaming a folder above it, which
 * a file watcher would miss.
 */
const LOOK_EVERY_MS = 5000;

/**
 * Reloads the configuration on SIGHUP and when the file changes. `seen` is the stamp of the file when it was read at
 * start: a start takes about a second, in which the file may change.
 *
 * A file that has changed is read once it is the same at two looks. Many programs write a file in steps, and the first
 * half of a configuration is a valid one without its keys.
 */
export function reloadOnChange(load: () => Promise<Loaded>, file: string, seen: string, service: Service): () => void {
  let busy = false;
  let asked = false;
  let stopped = false;
  const reload = async (): Promise<void> => {
    // A change after the running reload has read it, for example in a file of signatures, is only announced by the
    // signal. So the request is kept and served afterwards.
    asked = busy;
    if (busy) return;
    busy = true;
    seen = stampOf(file);
    try {
      const loaded = await load();
      if (loaded.config === null) service.reloadFailed(loaded.problems);
      else if ((await service.reload(loaded.config)).problems.length === 0) logWarnings(service, loaded.warnings);
    } catch (error) {
      service.reloadBroke(error instanceof Error ? error.name : 'unknown');
    } finally {
      busy = false;
      if (asked && !stopped) void reload();
    }
  };
  // The handler stays until the process has ended: without one, a SIGHUP during the last steps would kill it.
  process.on('SIGHUP', () => {
    if (!stopped) void reload();
  });
  let before = seen;
  const timer = setInterval(() => {
    const now = stampOf(file);
    if (now !== seen && now === before) void reload();
    before = now;
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}

export function logWarnings({ log }: Service, warnings: readonly Problem[]): void {
  if (warnings.length > 0) log.event('warn', 'configuration warnings', { problems: warnings.map(formatProblem) });
}

/** Identifies the version of a file; it changes when the file is written or replaced. */
export function stampOf(file: string): string {
  try {
    const { mtimeMs, ino, size } = statSync(file);
    return `${mtimeMs} ${ino} ${size}`;
  } catch {
    return 'gone';
  }
}
