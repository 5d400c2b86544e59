import { startScanner, tuningOf, type Begun, type First } from './begin.ts';
import type { Config } from './config/config.ts';
import { onlyAtStart } from './config/only-at-start.ts';
import { NOTHING_SENT, type FleetLink, type Sent } from './control-plane/link.ts';
import { configUnder, signaturesUnder } from './control-plane/under-fleet.ts';
import type { Opened } from './domain/opened.ts';
import type { Problem } from './domain/problem.ts';
import { createRateLimit, type RateLimit } from './http/rate-limit.ts';
import type { Runtime } from './routes/call.ts';
import { createRuntime, type Lasting } from './runtime.ts';
import type { PoolEvents } from './scanner/generations.ts';
import type { Scanner } from './scanner/scanner.ts';

/**
 * What is in force: the configuration of the file with what the fleet sent on top, and everything built from the two.
 * There is one way to change it. What is new is compiled and proven first, then all of it is swapped in as one step; on
 * problems everything stays as it was.
 */
export interface InForce {
  /** The configuration of the file with the fleet's settings applied. */
  readonly config: () => Config;
  readonly runtime: () => Runtime;
  /** 0 where scanning is switched off. */
  readonly signatureCount: () => number;
  /** Puts another configuration of the file in force. */
  reload(file: Config): Promise<Reloaded>;
  /** Puts in force what the fleet sent. */
  take(part: Partial<Sent>): Promise<readonly Problem[]>;
  /** From here on no change comes into force, not even one that is being proven. */
  stop(): void;
}

export interface Reloaded {
  readonly problems: readonly Problem[];
  /** Keys that differ and are only read at start. */
  readonly restart: readonly string[];
}

export interface Around extends Lasting {
  readonly fleet: FleetLink | null;
  /** Threads that were already started for this configuration. */
  readonly begun: Begun | null;
  readonly events: PoolEvents;
  readonly faults: Readonly<Record<string, unknown>> | undefined;
  /** Whether a call that is under way began on this scanner. */
  readonly inUse: (scanner: Scanner) => boolean;
}

export type Entered =
  | { readonly inForce: InForce; readonly problems: readonly [] }
  | { readonly inForce: null; readonly problems: readonly Problem[] };

/** How often a scanner that was switched off is checked for whether its last call has ended and it may be closed. */
const LET_GO_MS = 500;

/** The settings of the file and those of the fleet, of which a configuration is made. */
interface Sources {
  readonly file: Config;
  readonly sent: Sent;
}

/** Puts the first configuration in force. Whatever gets opened is pushed onto `opened`, even when this fails halfway. */
export async function enterIntoForce(opened: Opened, file: Config, around: Around): Promise<Entered> {
  const { log, fleet, begun, events, faults, inUse } = around;
  let stopped = false;
  let rateLimit = await limitBy(file.rate_limit);
  opened.push(() => rateLimit.close());

  const kept = fitting(file, fleet?.kept ?? NOTHING_SENT);
  let { sources, config } = kept;
  if (kept.misfit.length > 0) fleet?.forgetPolicy(kept.misfit);
  let first = await (begun?.first ?? scannerOf(config, sources.sent));
  if (first.problems.length > 0 && sources.sent.payload !== null) {
    fleet?.forgetBundle(first.problems);
    sources = { file, sent: { ...sources.sent, payload: null } };
    first = await scannerOf(config, sources.sent);
  }
  if (first.problems.length > 0) return { inForce: null, problems: first.problems };

  /** The scanner in force, and those that a change switched off while calls that began on them are still in progress. */
  const scanners = new Set<Scanner>();
  if (first.scanner !== null) scanners.add(first.scanner);
  opened.push(async () => {
    for (const scanner of scanners) await scanner.close();
  });
  /** What the listeners and the links were opened with: whatever is read only at a start stays like this until the next. */
  const atStart = config;
  let runtime = createRuntime(config, first.scanner, rateLimit.limit, new Map(), around);
  const signatureCount = (): number => runtime.scanner?.signatureCount() ?? 0;
  opened.push(() => {
    stopped = true;
    for (const upstream of runtime.upstreams.values()) upstream.forwarder.close();
  });

  function limitBy(settings: Config['rate_limit']): Promise<RateLimit> {
    return createRateLimit(settings, (up, code) =>
      log.event(
        up ? 'info' : 'warn',
        up ? 'rate limit store connected' : 'rate limit store is away, each instance counts alone',
        code === undefined ? {} : { error_code: code },
      ),
    );
  }

  function scannerOf(config: Config, sent: Sent): Promise<First> {
    return startScanner(config, () => signaturesUnder(config, sent), events, faults);
  }

  /**
   * The scanner for the next configuration. A running pool is kept and updated; calls in progress finish with the
   * rules that the pool has by then.
   */
  async function scannerFor(next: Config, nextSent: Sent, sameSignatures: boolean): Promise<First> {
    const { scanner } = runtime;
    if (!next.scanner.enabled) return { scanner: null, problems: [] };
    if (scanner === null) return startedScannerOf(next, nextSent);
    const tuning = tuningOf(next);
    const sameTuning = JSON.stringify(tuning) === JSON.stringify(tuningOf(config));
    if (sameSignatures && sameTuning) return { scanner, problems: [] };
    const loaded = signaturesUnder(next, nextSent);
    if (loaded.problems.length > 0) return { scanner, problems: loaded.problems };
    return { scanner, problems: await scanner.replace(loaded.signatures, tuning) };
  }

  /**
   * Starts a scanner in the course of a change. At process start, threads may become ready later. A change instead
   * fails when its threads do not come up.
   */
  async function startedScannerOf(next: Config, nextSent: Sent): Promise<First> {
    const first = await scannerOf(next, nextSent);
    const why = first.scanner?.health().scanner ?? null;
    if (first.problems.length > 0 || why === null) return first;
    await first.scanner?.close();
    throw new Error(`the scanner does not start: ${why}`);
  }

  /** Runs changes one after the other: the file may change while a bundle of the fleet is being proven. */
  let last: Promise<unknown> = Promise.resolve();
  function change(of: (now: Sources) => Sources): Promise<Reloaded> {
    const next = last.then(() => swap(of(sources)));
    last = next.catch(() => {});
    return next;
  }

  async function swap(to: Sources): Promise<Reloaded> {
    const over = configUnder(to.file, to.sent);
    if (over.config === null) return { problems: over.problems, restart: [] };
    const next = over.config;
    const sameSignatures = to.file === sources.file && to.sent.payload === sources.sent.payload;
    const sameLimit = JSON.stringify(next.rate_limit) === JSON.stringify(config.rate_limit);
    // The rate limit comes first, because a pool that is kept swaps its rules by itself: a rate limit that cannot be
    // created must leave everything as it was.
    const limit = sameLimit ? rateLimit : await limitBy(next.rate_limit);
    const { scanner, problems } = await scannerFor(next, to.sent, sameSignatures).catch((error: unknown) => {
      closeUnless(rateLimit, limit);
      throw error;
    });
    if (stopped || problems.length > 0) {
      closeUnless(rateLimit, limit);
      // What was opened meanwhile was not there to be closed, and would keep the process from ending.
      if (stopped) await scanner?.close();
      return { problems: stopped ? [] : problems, restart: [] };
    }
    closeUnless(limit, rateLimit);
    rateLimit = limit;
    const old = runtime;
    runtime = createRuntime(next, scanner, limit.limit, old.upstreams, around);
    sources = to;
    config = next;
    log.setLevel(next.logging.level);
    for (const [name, upstream] of old.upstreams) {
      if (runtime.upstreams.get(name)?.forwarder !== upstream.forwarder) upstream.forwarder.retire();
    }
    if (scanner !== null) scanners.add(scanner);
    if (old.scanner !== null && old.scanner !== scanner) letGo(old.scanner);
    return { problems: [], restart: onlyAtStart(atStart, next) };
  }

  /** Closes a scanner that was switched off once no call uses it: a call ends on the scanner on which it began. */
  function letGo(scanner: Scanner): void {
    const timer = setInterval(() => {
      if (inUse(scanner)) return;
      clearInterval(timer);
      scanners.delete(scanner);
      void scanner.close();
    }, LET_GO_MS);
    timer.unref();
  }

  return {
    inForce: {
      config: () => config,
      runtime: () => runtime,
      signatureCount,
      async reload(file) {
        let misfit: readonly Problem[] = [];
        const reloaded = await change(({ sent }) => {
          const next = fitting(file, sent);
          ({ misfit } = next);
          return next.sources;
        });
        if (misfit.length > 0 && reloaded.problems.length === 0 && !stopped) fleet?.forgetPolicy(misfit);
        return reloaded;
      },
      take: async (part) => (await change(({ file, sent }) => ({ file, sent: { ...sent, ...part } }))).problems,
      stop() {
        stopped = true;
      },
    },
    problems: [],
  };
}

/**
 * A file with what the fleet sent, without its policy where that does not fit the file: one that names an upstream which
 * was renamed is to cost neither the bundle nor the change of the file.
 */
function fitting(file: Config, sent: Sent): { sources: Sources; config: Config; misfit: readonly Problem[] } {
  const { config, problems } = configUnder(file, sent);
  return config === null
    ? { sources: { file, sent: { ...sent, policy: null } }, config: file, misfit: problems }
    : { sources: { file, sent }, config, misfit: [] };
}

function closeUnless(kept: RateLimit, one: RateLimit): void {
  if (one !== kept) one.close();
}
