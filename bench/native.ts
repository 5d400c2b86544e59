/**
 * Third-party programs. nginx and HAProxy, if they are on the PATH, show what a proxied call costs in C. Their usage
 * is read from the kernel, because they cannot report it themselves.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Child, Usage } from './process.ts';

interface Native {
  readonly config: (port: number, upstreamPort: number, folder: string) => string;
  readonly args: (file: string, folder: string) => string[];
}

const NATIVES = {
  nginx: {
    config: (port, upstreamPort, folder) => `
daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 2048; }
http {
  access_log ${folder}/access.log combined buffer=64k;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  keepalive_requests 100000000;
  upstream bench { server 127.0.0.1:${upstreamPort}; keepalive 512; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://bench; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}`,
    args: (file, folder) => ['-e', join(folder, 'error.log'), '-p', folder, '-c', file],
  },
  haproxy: {
    config: (port, upstreamPort) => `
global
  nbthread 1
  maxconn 4000
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  http-reuse always
frontend bench
  bind 127.0.0.1:${port}
  default_backend upstream
backend upstream
  server one 127.0.0.1:${upstreamPort}
`,
    args: (file) => ['-db', '-f', file],
  },
} satisfies Record<string, Native>;

export type NativeName = keyof typeof NATIVES;

export function isOnPath(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export async function startNative(name: NativeName, upstreamPort: number): Promise<Child> {
  const folder = mkdtempSync(join(tmpdir(), 'guard-bench-'));
  const port = await freePort();
  const file = join(folder, 'conf');
  const { config, args } = NATIVES[name];
  writeFileSync(file, config(port, upstreamPort, folder));
  return startProgram(name, args(file, folder), port, () => rmSync(folder, { recursive: true, force: true }));
}

/** Starts a third-party program that listens on the given port. */
export async function startProgram(
  command: string,
  args: readonly string[],
  port: number,
  ended: () => void = () => {},
): Promise<Child> {
  // Programs are run in production mode where their speed matters.
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(command, args, { stdio: 'ignore', env });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.once('error', () => {});
  const clean = async (): Promise<void> => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 2000);
    await gone;
    clearTimeout(timer);
    ended();
  };
  try {
    await waitUntilListening(port);
  } catch (error) {
    await clean();
    throw error;
  }
  return {
    port,
    usage: () => Promise.resolve(usageOf(child.pid!)),
    ask: () => Promise.resolve(null),
    close: clean,
  };
}

/**
 * Usage of the process and its children, over all threads, in the scheduler's nanoseconds: clock ticks of 10 ms are
 * too coarse.
 */
function usageOf(master: number): Usage {
  let nanoseconds = 0;
  let pages = 0;
  for (const pid of [master, ...childrenOf(master)]) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]);
    }
    pages += Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
  }
  // The scheduler does not separate user and system time. Only the sum is compared.
  return { user: nanoseconds / 1000, system: 0, main: null, rss: pages * 4096 };
}

function childrenOf(master: number): number[] {
  const children: number[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
      if (Number(parent) === master) children.push(Number(name));
    } catch {
      // The process has ended in the meantime.
    }
  }
  return children;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Attempts are 50 ms apart: a gateway in JavaScript takes seconds to load on a busy machine. */
const LISTEN_ATTEMPTS = 400;

async function waitUntilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < LISTEN_ATTEMPTS; attempt += 1) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it does not listen');
}
