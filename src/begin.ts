import './short-lived.ts';
import type { Config } from './config/config.ts';
import type { Problem } from './domain/signature.ts';
import { createPool, type PoolEvents } from './scanner/pool.ts';
import type { Scanner, Tuning } from './scanner/scanner.ts';
import { chosenSignatures } from './signatures/choose.ts';
import type { Loaded } from './signatures/load.ts';

/**
 * Threads take longer to come up than all else together. So they are started before the rest of the program is read, and
 * compile while it is: the file imports no more than that takes.
 */
export interface Begun {
  readonly first: Promise<First>;
  /** What was told before anybody listened is told now. */
  hear(events: PoolEvents): void;
}

/** Tests make threads fail; absent in production. */
type Faults = Readonly<Record<string, unknown>>;

/** No scanner and no problems: it is switched off. */
export interface First {
  readonly scanner: Scanner | null;
  readonly problems: readonly Problem[];
}

/** Null where the configuration alone does not say what the threads run: what the fleet sent is known to the service. */
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
    log: (message, reason) => tell((to) => to.log(message, reason)),
  };
  const first = startScanner(config, () => chosenSignatures(config.signatures), events, faults);
  // Whoever awaits it hears of it; until then nobody does, and an unheard rejection would end the process.
  first.catch(() => {});
  return {
    first,
    hear(events) {
      listener = events;
      for (const what of kept.splice(0)) what(events);
    },
  };
}

export function tuningOf({ scanner: { threads, likeness }, security }: Config): Tuning {
  return { threads, likeness, timeoutMs: security.scanner_timeout_ms };
}

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
