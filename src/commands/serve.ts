import { statSync } from 'node:fs';
import { styleText } from 'node:util';
import { begin } from '../begin.ts';
import { formatProblem } from '../config/complaint.ts';
import type { Config } from '../config/config.ts';
import type { Loaded } from '../config/load.ts';
import { mistakeOf } from '../domain/mistake.ts';
import type { Problem } from '../domain/signature.ts';
import type { Service } from '../service.ts';
import { VERSION } from '../version.ts';
import { EXIT, type Command } from './command.ts';
import { CONFIG_FLAGS, fileFor, loadFor } from './config-flags.ts';
import { listenFault } from './start-fault.ts';

/** Runs the proxy until a signal ends it. */

/**
 * How often the file is checked for changes. Kubernetes replaces a mounted file by renaming a folder above it, which
 * a file watcher would miss.
 */
const LOOK_EVERY_MS = 5000;

export const command: Command = {
  usage: ['serve [-c FILE]'],
  flags: CONFIG_FLAGS,
  maxWords: 0,
  run: async (args) => serve(await fileFor(args), () => loadFor(args)),
};

/**
 * `load` reads the configuration from `file`. `welcome` returns text to print below the banner; the demo uses it.
 */
export async function serve(
  file: string,
  load: () => Promise<Loaded>,
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
  const read = stamp(file);
  const loaded = await load();
  if (loaded.config === null) return sayAll(loaded.problems);
  const begun = begin(loaded.config);
  const { startService } = await import('../service.ts');
  const started = await startService(loaded.config, { begun }).catch(async (error: unknown) => {
    console.error(`guard: cannot start: ${reasonOf(error, loaded.config)}`);
    // Threads that are still running would keep the process from ending.
    await begun?.first.then(({ scanner }) => scanner?.close()).catch(() => {});
    return null;
  });
  if (started === null) return EXIT.failure;
  if (started.service === null) return sayAll(started.problems);

  const { service } = started;
  announce(service, loaded.config, file);
  if (welcome !== undefined) console.log(`\n${welcome(baseOf(service))}`);
  warn(service, loaded.warnings);
  const stopWatching = watch(load, file, read, service);
  const stopped = untilSignal(service);
  // `watch` and `untilSignal` handle the signals from here on. Their handlers are added before the earlier ones are
  // removed: a signal that arrived between would end the process.
  if (hungUpMeanwhile()) process.emit('SIGHUP', 'SIGHUP');
  const code = await stopped;
  stopWatching();
  await service.close();
  return code;
}

/**
 * Handles signals during startup. There is nothing to drain yet, so SIGTERM and SIGINT end the process at once.
 * SIGHUP, which asks for a reload, is remembered. Without handlers, SIGHUP would end the process, and as PID 1 of a
 * container the process would not even react to SIGTERM.
 *
 * Returns a function that removes these handlers and tells whether a SIGHUP arrived.
 */
function listenWhileStarting(): () => boolean {
  let hungUp = false;
  const stop = (): void => process.exit(EXIT.ok);
  const onHangup = (): void => {
    hungUp = true;
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', onHangup);
  return () => {
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
    process.off('SIGHUP', onHangup);
    return hungUp;
  };
}

/** Resolves with the exit code once the drain is over. A second signal ends the process at once. */
function untilSignal(service: Service): Promise<number> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = (signal: string, code: number): void => {
      if (stopping) {
        service.log.event('warn', 'stopping at once', { signal });
        service.log.flush();
        process.exit(code === 0 ? 1 : code);
      }
      stopping = true;
      service.log.event('info', 'draining', { signal, in_flight: service.inFlight() });
      void service.drain().then(({ cut }) => {
        service.log.event('info', 'stopped', { count: cut });
        resolve(code);
      });
    };
    process.on('SIGTERM', () => stop('SIGTERM', 0));
    process.on('SIGINT', () => stop('SIGINT', 0));
    // An invariant is broken: calls in progress may finish, but the process must not take new ones.
    const broken = (error: unknown): void => {
      service.log.event('fatal', 'unexpected error, draining', mistakeOf(error));
      stop('exception', 1);
    };
    process.on('uncaughtException', broken);
    process.on('unhandledRejection', broken);
  });
}

function warn({ log }: Service, warnings: readonly Problem[]): void {
  if (warnings.length > 0) log.event('warn', 'configuration warnings', { problems: warnings.map(formatProblem) });
}

/**
 * Reloads the configuration on SIGHUP and when the file changes. `seen` is the stamp of the file when it was read at
 * start: a start takes about a second, in which the file may change.
 */
function watch(load: () => Promise<Loaded>, file: string, seen: string, service: Service): () => void {
  let busy = false;
  let asked = false;
  let stopped = false;
  const reload = async (): Promise<void> => {
    // A change after the running reload has read it, for example in a file of signatures, is only announced by the
    // signal. So the request is kept and served afterwards.
    asked = busy;
    if (busy) return;
    busy = true;
    seen = stamp(file);
    try {
      const loaded = await load();
      if (loaded.config === null) service.reloadFailed(loaded.problems);
      else if ((await service.reload(loaded.config)).problems.length === 0) warn(service, loaded.warnings);
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
  const timer = setInterval(() => {
    if (stamp(file) !== seen) void reload();
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}

/** Identifies the version of a file; it changes when the file is written or replaced. */
function stamp(file: string): string {
  try {
    const { mtimeMs, ino, size } = statSync(file);
    return `${mtimeMs} ${ino} ${size}`;
  } catch {
    return 'gone';
  }
}

/** Prints a banner on a terminal, and writes a log line otherwise. */
function announce(service: Service, config: Config, file: string): void {
  const base = baseOf(service);
  if (!process.stdout.isTTY) {
    const { host, port } = service.address;
    service.log.event('info', 'listening', {
      address: `${host}:${port}`,
      upstreams: Object.keys(config.upstreams),
      signatures: service.signatureCount(),
      threads: config.scanner.threads,
      version: VERSION,
      node: process.version,
      file,
    });
    return;
  }
  const bold = (text: string): string => styleText('bold', text);
  const faint = (text: string): string => styleText('dim', text);
  const width = Math.max(...Object.keys(config.upstreams).map((name) => name.length), 1);
  const lines = [
    `${bold('guard')} ${VERSION}  ${base}`,
    ...Object.entries(config.upstreams).map(
      ([name, { url }]) => `  ${base}/${name.padEnd(width)}  ${faint('->')}  ${url}`,
    ),
    faint(
      config.scanner.enabled
        ? `  ${service.signatureCount()} signatures, ${config.scanner.threads} threads, failure mode ${config.security.failure_mode}, ${file}`
        : `  scanning is switched off, ${file}`,
    ),
  ];
  console.log(lines.join('\n'));
}

function baseOf({ address: { host, port } }: Service): string {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}

function sayAll(problems: readonly Problem[]): number {
  for (const problem of problems) console.error(formatProblem(problem));
  return EXIT.config;
}

function reasonOf(error: unknown, { server, admin }: Config): string {
  const listeners = [{ key: 'server', host: server.host, port: server.port }];
  if (admin.enabled) listeners.push({ key: 'admin', host: admin.host, port: admin.port });
  return listenFault(error, listeners) ?? (error as Error).message;
}
