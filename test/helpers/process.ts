import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from './patience.ts';

export interface Running {
  readonly child: ChildProcess;
  readonly port: number;
  /** Its configuration. */
  readonly file: string;
  /** Log lines so far. */
  lines(): readonly string[];
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  close(): Promise<void>;
}

/** The program itself, as an operator starts it: `guard serve -c FILE`, on a free port. */
export async function startProcess(
  config: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>> = {},
  nodeFlags: readonly string[] = [],
): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'guard-test-'));
  const file = join(folder, 'config.yaml');
  await writeFile(file, JSON.stringify(config));
  const main = fileURLToPath(new URL('../../src/main.js', import.meta.url));
  const child = spawn(process.execPath, [...nodeFlags, main, 'serve', '-c', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const port = /"address":"127\.0\.0\.1:(\d+)"/.exec(text)?.[1];
    if (port !== undefined) {
      return {
        child,
        port: Number(port),
        file,
        lines: () => text.split('\n').filter((line) => line !== ''),
        exited,
        close,
      };
    }
    if (performance.now() > deadline || child.exitCode !== null) {
      await close();
      throw new Error(`the program did not start: ${text.slice(0, 2000)}`);
    }
    await sleep(10);
  }
}
