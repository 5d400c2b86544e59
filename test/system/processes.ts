/** Real programs for the tests of the whole: started on free ports, heard, and ended by their own id. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = process.cwd();
export const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** Servers of Debian live in sbin, which not every PATH names. */
const PATH = [process.env.PATH ?? '', '/usr/sbin', '/sbin'].join(delimiter);

/** Whoever runs the tests may have variables for a proxy of his own; ours get only what a test says. */
const INHERITED = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GUARD_')));

export interface Program {
  readonly pid: number;
  readonly exited: Promise<number | null>;
  output(): string;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** A test that failed half-way has left its programs running, and would wait for them for ever. */
after(async () => {
  const left = [...running];
  // Asked first: a server that is ended by force leaves its own children behind.
  for (const child of left) child.kill('SIGTERM');
  if (left.length > 0) await sleep(1000);
  for (const child of left) child.kill('SIGKILL');
});

export function start(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  const child: ChildProcess = spawn(command, args, {
    env: { ...INHERITED, PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let heard = '';
  const hear = (chunk: Buffer): void => {
    heard = (heard + chunk.toString()).slice(-200_000);
  };
  child.stdout!.on('data', hear);
  child.stderr!.on('data', hear);
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      heard += error.message;
      resolve(127);
    });
    child.once('exit', (code) => resolve(code));
  });
  void exited.then(() => running.delete(child));
  return {
    pid: child.pid ?? -1,
    exited,
    output: () => heard,
    signal: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

export interface Ran {
  readonly status: number | null;
  readonly output: string;
}

export function run(
  command: string,
  args: readonly string[],
  options: { input?: string; cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Ran {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 150_000,
    maxBuffer: 64 * 1_048_576,
    ...(options.input === undefined ? {} : { input: options.input }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...INHERITED, PATH, ...options.env },
  });
  return { status, output: `${stdout}${stderr}${error === undefined ? '' : error.message}` };
}

/** Whether a program is there at all. Everything that Debian has is installed by .ci/run, and asked for by those tests. */
export function present(command: string): boolean {
  return PATH.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, command)));
}

export function need(...commands: readonly string[]): void {
  const missing = commands.filter((command) => !present(command));
  if (missing.length > 0)
    throw new Error(`not installed: ${missing.join(', ')}; .ci/run installs what these tests need`);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Waits for a condition, and says what it heard when that does not come. */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  { timeoutMs = 20_000, heard = () => '' }: { timeoutMs?: number; heard?: () => string } = {},
): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    if (await Promise.resolve(condition()).catch(() => false)) return;
    if (performance.now() > end) throw new Error(`${what}: not within ${timeoutMs} ms\n${heard().slice(-4000)}`);
    await sleep(50);
  }
}

export async function answers(url: string, status = 200): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  await response.arrayBuffer();
  return response.status === status;
}

export interface Folder {
  readonly path: string;
  write(name: string, text: string): string;
  remove(): void;
}

export function folder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'guard-'));
  return {
    path,
    write(name, text) {
      const file = join(path, name);
      writeFileSync(file, text);
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** JSON is YAML, so a configuration is written as what it means. */
export async function startProxy(file: string, port: number): Promise<Program> {
  const proxy = start(process.execPath, [MAIN, 'serve', '-c', file, '--port', String(port)]);
  const ready = until(`guard on ${port}`, () => answers(`http://127.0.0.1:${port}/readyz`), { heard: proxy.output });
  const died = proxy.exited.then((code) => {
    throw new Error(`guard on ${port} ended with ${code}\n${proxy.output().slice(-4000)}`);
  });
  await Promise.race([ready, died]);
  // From here on an end is the test's business.
  died.catch(() => {});
  return proxy;
}
