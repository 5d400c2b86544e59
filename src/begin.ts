import './short-lived.ts';
import type { Config } from './config/config.ts';
import type { Problem } from './domain/problem.ts';
import type { PoolEvents } from './scanner/generations.ts';
import { createPool } from './scanner/pool.ts';
import type { Scanner, Tuning } from './scanner/scanner.ts';
import { chosenSignatures } from './signatures/choose.ts';
import type { Loaded } from './signatures/load.ts';

/**
 * Starting the scanning threads takes longer than everything else at startup together. So they are started before the
 * rest of the program is imported, and compile signatures while it loads. For that reason this file imports as little
 * as it can.
 */
export interface Begun {
  readonly first: Promise<First>;
  /** Sets the listener. Events that were emitted before this call are replayed to it. */
  hear(events: PoolEvents): void;
}

/** Tests use this to make threads fail. Absent in production. */
type Faults = Readonly<Record<string, unknown>>;

/** When scanning is switched off, `scanner` is null and `problems` is empty. */
export interface First {
  readonly scanner: Scanner | null;
  readonly problems: readonly Problem[];
}

/**
 * Starts the threads for this configuration. Returns null for an instance under a control plane: its signatures may
 * come from the fleet's bundle, which only the service knows.
 */
export function begin(config: Config, faults?: Faults): Begun | null {
  if (config.control_plane.enabled) return null;
  let listener: PoolEvents | null = null;
  const kept: ((to: PoolEvents) => void)[] = [];
  const tell = (what: (to: PoolEvents) => void): void => {
    if (listener === null) kept.push(what);
    else what(listener);
  };
  const events: PoolEvents = {
    worker: (event) => tell((to) => to.worker(event)),
    log: (message, reason, level) => tell((to) => to.log(message, reason, level)),
  };
  const first = startScanner(config, () => chosenSignatures(config.signatures), events, faults);
  // The service awaits this promise later. Without a handler until then, an early rejection would end the process as
  // unhandled.
  first.catch(() => {});
  return {
    first,
    hear(events) {
      listener = events;
      for (const what of kept.splice(0)) what(events);
    },
  };
}

export function tuningOf({ scanner: { threads, likeness, response }, security }: Config): Tuning {
  const { scanner_timeout_ms: timeoutMs, max_request_bytes, max_response_bytes } = security;
  const maxBytes = response.enabled ? Math.max(max_request_bytes, max_response_bytes) : max_request_bytes;
  return { threads, likeness, timeoutMs, maxBytes };
}

/** Loads the signatures and starts the pool, unless scanning is switched off. */
export async function startScanner(
  config: Config,
  signatures: () => Loaded,
  events: PoolEvents,
  faults?: Faults,
): Promise<First> {
  if (!config.scanner.enabled) return { scanner: null, problems: [] };
  const loaded = signatures();
  if (loaded.problems.length > 0) return { scanner: null, problems: loaded.problems };
  const { scanner, problems } = await createPool(
    loaded.signatures,
    { ...tuningOf(config), ...(faults === undefined ? {} : { faults }) },
    events,
  );
  if (problems.length > 0) await scanner.close();
  return { scanner, problems };
}
