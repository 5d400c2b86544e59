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
import { CONFIG_FLAGS, loadFor } from './config-flags.ts';

/** Runs the proxy until a signal ends it. */

/** A mounted file is replaced by renaming a folder above it: a watcher on the file would go deaf, a look every so often does not. */
const LOOK_EVERY_MS = 5000;

export const command: Command = {
  usage: ['serve [-c FILE]'],
  flags: CONFIG_FLAGS,
  maxWords: 0,
  run: (args) => serve(() => loadFor(args)),
};

/** `welcome` is said below the banner, to a person who is being shown around. */
export async function serve(load: () => Promise<Loaded>, welcome?: (base: string) => string): Promise<number> {
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
  const loaded = await load();
  if (loaded.config === null) return sayAll(loaded.problems);
  const read = stamp(loaded.file);
  const begun = begin(loaded.config);
  const { startService } = await import('../service.ts');
  const started = await startService(loaded.config, { begun }).catch(async (error: unknown) => {
    console.error(`guard: cannot start: ${reasonOf(error, loaded.config)}`);
    // They would keep the process from ending.
    await begun?.first.then(({ scanner }) => scanner?.close()).catch(() => {});
    return null;
  });
  if (started === null) return EXIT.failure;
  if (started.service === null) return sayAll(started.problems);

  const { service } = started;
  announce(service, loaded.config, loaded.file);
  if (welcome !== undefined) console.log(`\n${welcome(baseOf(service))}`);
  warn(service, loaded.warnings);
  const stopWatching = watch(load, loaded.file, read, service);
  const stopped = untilSignal(service);
  // Heard by these two from now on: one after the other, a signal between them would end the process as if nobody listened.
  if (hungUpMeanwhile()) process.emit('SIGHUP', 'SIGHUP');
  const code = await stopped;
  stopWatching();
  await service.close();
  return code;
}

/**
 * Until it listens there is nothing to drain, so what asks it to stop ends it at once; what asks it to read its file again is
 * kept. Unheard, a hangup would end it, and as the first process of a container it would not even hear that it should stop.
 * What this gives ends it, and says whether the file is to be read again.
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
    // A broken invariant: what is under way may end, nothing new is trusted to this process.
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

/** `seen`: what the file was like when it was read. A start takes a second, in which it may change. */
function watch(load: () => Promise<Loaded>, file: string, seen: string, service: Service): () => void {
  let busy = false;
  let asked = false;
  let stopped = false;
  const reload = async (): Promise<void> => {
    // What changed after this reload had read it, in a file of signatures for one, is told by the signal alone.
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
  const onHangup = (): void => void reload();
  process.on('SIGHUP', onHangup);
  const timer = setInterval(() => {
    if (stamp(file) !== seen) void reload();
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
    process.off('SIGHUP', onHangup);
  };
}

function stamp(file: string): string {
  try {
    const { mtimeMs, ino, size } = statSync(file);
    return `${mtimeMs} ${ino} ${size}`;
  } catch {
    return 'gone';
  }
}

/** A person at a terminal gets a picture; a log collector gets its line. */
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

function reasonOf(error: unknown, config: Config): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const { host, port } = config.server;
  if (code === 'EADDRINUSE') return `${host}:${port} is in use; choose another server.port`;
  if (code === 'EACCES') return `no permission to listen on ${host}:${port}; ports below 1024 need it`;
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine; see server.host`;
  return message;
}
