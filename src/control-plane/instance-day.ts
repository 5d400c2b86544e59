import type { Events } from './client-events.ts';
import type { DetectionRow, LatencyRow } from './protocol.ts';

/** The last 25 hours of one instance, in memory. It gives the same sums as a control plane gives for a fleet. */

export interface Day {
  /** Adds what was counted since the last call. */
  take(): void;
  sums(): Readonly<Record<string, readonly object[]>>;
}

const KEPT_MS = 25 * 3_600_000;
/**
 * The number of rows is the product of signatures, upstreams and hours that occur. This limit is far above that, and
 * still small.
 */
const MOST_ROWS = 20_000;
const TOP = 20;

type Row<Of> = { -readonly [Key in keyof Of]: Of[Key] };

export function createDay(events: Events): Day {
  const detections = new Map<string, Row<DetectionRow>>();
  const latencies = new Map<string, Row<LatencyRow>>();

  function take(): void {
    events.seal();
    for (let sealed = events.next(); sealed !== null; sealed = events.next()) {
      for (const row of sealed.batch.detections)
        add(
          detections,
          `${row.hour}\n${row.upstream}\n${row.category}\n${row.action}\n${row.signature}\n${row.shadow}`,
          row,
        );
      for (const row of sealed.batch.latencies) add(latencies, `${row.hour}\n${row.upstream}\n${row.bucket}`, row);
      events.taken(sealed);
    }
    const oldest = Date.now() - KEPT_MS;
    for (const rows of [detections, latencies])
      for (const [key, { hour }] of rows) if (Date.parse(hour) < oldest) rows.delete(key);
  }

  return {
    take,
    sums() {
      take();
      const found = [...detections.values()];
      const seen = found.filter(({ shadow }) => !shadow);
      return {
        overTime: grouped(seen, ({ hour, category, action }) => ({ hour, category, action })),
        signatures: grouped(
          seen.filter(({ signature }) => signature !== ''),
          ({ signature, category, action }) => ({ signature, category, action }),
        ).slice(0, TOP),
        shadow: grouped(
          found.filter(({ shadow }) => shadow),
          ({ upstream, category, action }) => ({ upstream, category, action }),
        ),
        upstreams: grouped(seen, ({ upstream, action }) => ({ upstream, action })),
        latency: grouped([...latencies.values()], ({ upstream, bucket }) => ({ upstream, bucket })).sort(
          (a, b) => a.bucket - b.bucket,
        ),
      };
    },
  };
}

function add<Of extends { readonly count: number }>(rows: Map<string, Row<Of>>, key: string, row: Of): void {
  const known = rows.get(key);
  if (known !== undefined) (known as { count: number }).count += row.count;
  else if (rows.size < MOST_ROWS) rows.set(key, { ...row });
}

/** Sums rows of the same kind, largest first. */
function grouped<Of extends { readonly count: number }, Kind extends object>(
  rows: readonly Of[],
  kindOf: (row: Of) => Kind,
): (Kind & { count: number })[] {
  const groups = new Map<string, Kind & { count: number }>();
  for (const row of rows) {
    const kind = kindOf(row);
    const key = JSON.stringify(kind);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ...kind, count: row.count });
    else group.count += row.count;
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}
