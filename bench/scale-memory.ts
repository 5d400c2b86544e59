/**
 * The table of sizes that operators are told (so many calls a minute in so many megabytes), held to: under each limit the
 * service answers at that rate, then as much as it can, then bodies of megabytes side by side.
 */
import type { Contestant } from './contestants.ts';
import { run } from './entrant.ts';
import type { LoadResult } from './load.ts';
import { limitMemory, type MemoryLimit } from './memory-limit.ts';
import { startChild } from './process.ts';
import { createProgress } from './progress.ts';
import { PATIENT, SCALED, withField } from './scale-field.ts';
import type { ScaleSettings } from './scale.ts';
import { percentile } from './statistics.ts';

export interface MemoryRow {
  readonly limitMb: number;
  /** `kernel`: beyond the limit it is killed. `none`: only measured. */
  readonly held: 'kernel' | 'none';
  readonly perMinute: number;
  /** At that rate. Null: it did not live to see it. */
  readonly open: Tried | null;
  /** As fast as it answers, on 32 connections. */
  readonly carries: (Tried & { readonly perMinute: number }) | null;
  /** Bodies of 8 MB, four at a time. */
  readonly large: Tried | null;
  /** Resident before and after each, as far as it came. */
  readonly rssMb: readonly number[];
  readonly peakMb: number | null;
  readonly pressed: number | null;
  /** What it was doing when it was killed; null when it was not. */
  readonly died: string | null;
}

export interface Tried {
  readonly calls: number;
  readonly answered: number;
  /** Forwarded, but unread: its time ran out. */
  readonly unread: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly p50: number | null;
  readonly p99: number | null;
}

export interface MemoryResults {
  readonly rows: readonly MemoryRow[];
}

/** Of the specification: where each stops, and what it is given. */
const TABLE = [
  { limitMb: 512, perMinute: 100 },
  { limitMb: 1024, perMinute: 1000 },
  { limitMb: 2048, perMinute: 10_000 },
] as const;

const LARGE = { bytes: 8_388_608, turns: 1, stamps: 'all' } as const;
const LARGE_CALLS = 8;

export async function measureMemory(settings: ScaleSettings): Promise<MemoryResults> {
  const progress = createProgress(TABLE.length * 4);
  const rows: MemoryRow[] = [];
  for (const row of TABLE)
    rows.push(await under(row, settings, (doing) => progress.step(`${row.limitMb} MB: ${doing}`)));
  progress.end();
  return { rows };
}

async function under(
  { limitMb, perMinute }: (typeof TABLE)[number],
  { seconds, requests }: ScaleSettings,
  say: (doing: string) => void,
): Promise<MemoryRow> {
  const limit = limitMemory(limitMb);
  // Where the kernel holds nothing the heap at least is told, as an operator would.
  const nodeFlags = limit.held === 'kernel' ? [] : [`--max-old-space-size=${limitMb / 2}`];
  let killed = false;
  const guard: Contestant = {
    ...SCALED['guard-scanned'],
    start: (upstreamPort) =>
      startChild(
        'contestants/guard.js',
        { upstreamPort, config: { policy: PATIENT.policy } },
        { born: limit.admit, nodeFlags, killed: () => (killed = true) },
      ),
  };
  const seen: { open: Tried | null; carries: MemoryRow['carries']; large: Tried | null } = {
    open: null,
    carries: null,
    large: null,
  };
  const rssMb: number[] = [];
  let doing = '';
  const begin = (next: string): void => say((doing = next));
  begin('starting');
  try {
    await withField({ guard }, async ({ entrants: [entrant], load, upstream }) => {
      const { child, target } = entrant!;
      const weigh = async (): Promise<void> => void rssMb.push((await child.usage()).rss / 2 ** 20);
      await weigh();
      begin(`${perMinute} calls a minute`);
      seen.open = tried(await run(load, { ...target, kind: 'open', connections: 32, rate: perMinute / 60, seconds }));
      await weigh();
      begin('as many as it answers');
      const closed = await run(load, { ...target, kind: 'closed', connections: 32, requests });
      seen.carries = { ...tried(closed), perMinute: (60 * closed.answered) / closed.seconds };
      await weigh();
      begin('bodies of 8 MB');
      await upstream.ask(LARGE);
      seen.large = tried(
        await run(load, { ...target, body: LARGE, kind: 'closed', connections: 4, requests: LARGE_CALLS }),
      );
      await weigh();
    });
    return { limitMb, held: limit.held, perMinute, ...seen, rssMb, ...counted(limit), died: null };
  } catch (error) {
    // An error of its own is not what is measured here.
    if (!killed || limit.held === 'none') throw error;
    return { limitMb, held: limit.held, perMinute, ...seen, rssMb, ...counted(limit), died: doing };
  } finally {
    limit.remove();
  }
}

function counted(limit: MemoryLimit): Pick<MemoryRow, 'peakMb' | 'pressed'> {
  return { peakMb: limit.peakMb(), pressed: limit.pressed() };
}

function tried({ answered, failed, unscanned, refused, latencies }: LoadResult): Tried {
  const at = (percent: number): number | null => (latencies.length === 0 ? null : percentile(latencies, percent));
  return { calls: answered + failed, answered, unread: unscanned, refused, p50: at(50), p99: at(99) };
}
