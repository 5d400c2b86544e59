/** A whole service for one test: real sockets, real threads, a free port, and everything it logged. */
import { parseConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/config.ts';
import { startService, type Service } from '../../src/service.ts';

export interface GuardOptions {
  readonly upstreams?: Readonly<Record<string, { url: string; wire?: string } & Record<string, unknown>>>;
  /** Merged over the test's own defaults, key by key, before it is validated like a file. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly faults?: Readonly<Record<string, unknown>>;
}

export interface Guard {
  readonly url: string;
  readonly port: number;
  readonly service: Service;
  logs(): string[];
  metrics(): Promise<string>;
  close(): Promise<void>;
}

type Json = Readonly<Record<string, unknown>>;

export async function startGuard(options: GuardOptions = {}): Promise<Guard> {
  const lines: string[] = [];
  const config = configOf(options);
  const started = await startService(config, {
    logTo: { write: (line: string) => void lines.push(line) },
    ...(options.faults === undefined ? {} : { faults: options.faults }),
  });
  if (started.service === null) throw new Error(started.problems.map((problem) => problem.message).join('\n'));
  const { service } = started;
  const { port } = service.address;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    service,
    logs: () => [...lines],
    metrics: async () => (await fetch(`${url}/metrics`)).text(),
    close: () => service.close(),
  };
}

export function configOf(options: GuardOptions): Config {
  const typed = merge(
    {
      server: { host: '127.0.0.1', port: 0, shutdown_delay_ms: 0, shutdown_timeout_ms: 500 },
      scanner: { threads: 1 },
      // A busy machine must not turn a verdict into a time-out; tests of the deadline set their own.
      security: { scanner_timeout_ms: 5000 },
      upstreams: options.upstreams ?? {},
    },
    options.config ?? {},
  );
  // JSON is YAML: what a test says goes through the same door as a file.
  const loaded = parseConfig(JSON.stringify(typed), { file: 'test.yaml', env: {} });
  if (loaded.config === null)
    throw new Error(loaded.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  return loaded.config;
}

function merge(base: Json, over: Json): Json {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isPlain(before) && isPlain(value) ? merge(before, value) : value;
  }
  return merged;
}

function isPlain(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
