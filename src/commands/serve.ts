import { begin } from '../begin.ts';
import type { Config } from '../config/config.ts';
import type { Loaded } from '../config/load.ts';
import { EXIT, type Command } from './command.ts';
import { CONFIG_FLAGS, fileFor, loadFor } from './config-flags.ts';
import { sayProblems } from './say-problems.ts';
import { announce, baseUrlOf } from './serve-banner.ts';
import { logWarnings, reloadOnChange, stampOf } from './serve-reload.ts';
import { listenWhileStarting, untilSignal } from './serve-signals.ts';
import { listenFault } from './start-fault.ts';

/** Runs the proxy until a signal ends it. */

export const command: Command = {
  usage: ['serve [-c FILE]'],
  flags: CONFIG_FLAGS,
  maxWords: 0,
  async run(args) {
    const file = await fileFor(args);
    const code = await serve(file, (again) => loadFor(args, file, again));
    // All is closed and written. Threads of a reload that was under way would keep the process until they have proven
    // signatures that nobody will use.
    return process.exit(code);
  },
};

/**
 * `load` reads the configuration from `file`, for the first time or again. `welcome` returns text to print below the
 * banner; the demo uses it.
 */
export async function serve(
  file: string,
  load: (again: boolean) => Promise<Loaded>,
  welcome?: (base: string) => string,
): Promise<number> {
  if (
    process.execArgv.includes('--insecure-http-parser') ||
    (process.env.NODE_OPTIONS ?? '').includes('--insecure-http-parser')
  ) {
    console.error(
      'guard: refusing to start with --insecure-http-parser: it would let requests be smuggled past the scanner',
    );
    return EXIT.usage;
  }
  const hungUpMeanwhile = listenWhileStarting();
  // Before the file is read: a change in between would otherwise belong to the stamp and be missed.
  const read = stampOf(file);
  const loaded = await load(false);
  if (loaded.config === null) {
    sayProblems(loaded.problems);
    return EXIT.config;
  }
  const begun = begin(loaded.config);
  const { startService } = await import('../service.ts');
  const started = await startService(loaded.config, { begun }).catch(async (error: unknown) => {
    console.error(`guard: cannot start: ${reasonOf(error, loaded.config)}`);
    // Threads that are still running would keep the process from ending.
    await begun?.first.then(({ scanner }) => scanner?.close()).catch(() => {});
    return null;
  });
  if (started === null) return EXIT.failure;
  if (started.service === null) {
    sayProblems(started.problems);
    return EXIT.config;
  }

  const { service } = started;
  announce(service, loaded.config, file);
  if (welcome !== undefined) console.log(`\n${welcome(baseUrlOf(service))}`);
  logWarnings(service, loaded.warnings);
  const stopWatching = reloadOnChange(() => load(true), file, read, service);
  const stopped = untilSignal(service);
  // `reloadOnChange` and `untilSignal` handle the signals from here on. Their handlers are added before the earlier ones are
  // removed: a signal that arrived between would end the process.
  if (hungUpMeanwhile()) process.emit('SIGHUP', 'SIGHUP');
  const code = await stopped;
  stopWatching();
  await service.close();
  return code;
}

function reasonOf(error: unknown, { server, admin }: Config): string {
  const listeners = [{ key: 'server', host: server.host, port: server.port }];
  if (admin.enabled) listeners.push({ key: 'admin', host: admin.host, port: admin.port });
  return listenFault(error, listeners) ?? (error as Error).message;
}
