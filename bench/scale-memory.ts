/**
 * Tests the sizing table for operators (calls per minute for a memory limit). Under each limit the service gets that
 * rate, then as many calls as it can answer, then large bodies in parallel.
 */
import type { Contestant } from './contestants.ts';
import { run } from './entrant.ts';
import type { LoadResult } from './load.ts';
import { limitMemory, type MemoryLimit } from './memory-limit.ts';
import { startChild } from './process.ts';
import { createProgress } from './progress.ts';
import { PATIENT, SCALED, withField } from './scale-field.ts';
import type { ScaleSettings } from './scale-settings.ts';
import { percentile } from './statistics.ts';

export interface MemoryRow {
  readonly limitMb: number;
  /** `kernel`: the process is killed above the limit. `none`: memory is only measured. */
  readonly held: 'kernel' | 'none';
  readonly perMinute: number;
  /** The result at that rate. Null if the process was killed before. */
  readonly open: Tried | null;
  /** The result on 32 connections at full speed. */
  readonly carries: (Tried & { readonly perMinute: number }) | null;
  /** The result for bodies of 8 MB, four at a time. */
  readonly large: Tried | null;
  /** Resident memory before the first and after each of these phases, as far as it got. */
  readonly rssMb: readonly number[];
  readonly peakMb: number | null;
  readonly pressed: number | null;
  /** The phase in which it was killed; null when it was not. */
  readonly died: string | null;
}

export interface Tried {
  readonly calls: number;
  readonly answered: number;
  /** Forwarded unscanned, because the scan timed out. */
  readonly unread: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly p50: number | null;
  readonly p99: number | null;
}

export interface MemoryResults {
  readonly rows: readonly MemoryRow[];
}

/** The sizing table: each memory limit and the rate that it has to sustain. */
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
    rows.push(await measureUnderLimit(row, settings, (doing) => progress.step(`${row.limitMb} MB: ${doing}`)));
  progress.end();
  return { rows };
}

async function measureUnderLimit(
  { limitMb, perMinute }: (typeof TABLE)[number],
  { seconds, requests }: ScaleSettings,
  say: (doing: string) => void,
): Promise<MemoryRow> {
  const limit = limitMemory(limitMb);
  // Without a kernel limit, at least the heap is limited, as an operator would do.
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
    // Any error other than being killed is not part of this measurement.
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
