/** Formats the results of the part `scale` as tables. */
import { markdown } from '../src/eval/markdown.ts';
import type { MemoryRow, Tried } from './scale-memory.ts';
import type { ScaleResults } from './scale.ts';
import type { Fit, Spread } from './statistics.ts';

export function scaleTable({ sizes, concurrency, signatures, history, memory, start }: ScaleResults): string {
  const parts: string[] = [];
  if (sizes !== null) {
    const names = Object.keys(sizes.fits);
    parts.push(
      'By the size of the body, us CPU a call: median (min - max)',
      markdown(
        ['bytes', ...names, 'scanned / bare'],
        sizes.rows.map(({ bytes, cpu, ratio }) => [
          bytes.toLocaleString('en'),
          ...names.map((name) => formatSpread(cpu[name]!, 0)),
          formatSpread(ratio['guard-scanned']!, 2, 'x'),
        ]),
      ),
      formatFits(sizes.fits, 'us', 'us/KB', 1024),
    );
  }
  if (concurrency !== null) {
    const names = Object.keys(concurrency.fits);
    parts.push(
      'By callers at once, calls a second and us CPU a call: median (min - max)',
      markdown(
        ['callers', ...names.flatMap((name) => [name, 'us CPU', 'shed'])],
        concurrency.rows.map(({ connections, perSecond, cpu, shed }) => [
          String(connections),
          ...names.flatMap((name) => [
            formatSpread(perSecond[name]!, 0),
            formatSpread(cpu[name]!, 0),
            shed[name]!.max === 0 ? '' : `${(100 * shed[name]!.median).toFixed(1)} %`,
          ]),
        ]),
      ),
      `What a caller waits, over the callers. ${formatFits(concurrency.fits, 'ms', 'ms a caller', 1)}`,
    );
  }
  if (signatures !== null) {
    parts.push(
      'By signatures loaded, us CPU for a text of 2 KB',
      markdown(
        ['loaded', 'signatures', 'atoms', 'compiled ms', 'scan us', 'of all'],
        signatures.rows.map(({ loaded, signatures: count, atoms, compileMs, scan, ofAll }) => [
          loaded,
          String(count),
          String(atoms),
          compileMs.toFixed(0),
          formatSpread(scan, 1),
          formatSpread(ofAll, 2, 'x'),
        ]),
      ),
      formatFits({ scan: signatures.fit }, 'us', 'us a signature', 1),
    );
  }
  if (history !== null) {
    const names = Object.keys(history.rows[0]!.cpu);
    parts.push(
      'A turn of an agent, us CPU: median (min - max)',
      markdown(
        ['turn', 'messages', 'bytes', ...names.flatMap((who) => [who, 'of one'])],
        history.rows.map(({ name, messages, bytes, cpu, ofOne }) => [
          name,
          String(messages),
          String(bytes),
          ...names.flatMap((who) => [formatSpread(cpu[who]!, 0), formatSpread(ofOne[who]!, 2, 'x')]),
        ]),
      ),
    );
  }
  if (start !== null) parts.push(`Start to ready, ms: ${formatSpread(start.ms, 0)}`);
  if (memory !== null) parts.push('Under a limit of memory', memoryTable(memory.rows));
  return parts.join('\n\n');
}

function memoryTable(rows: readonly MemoryRow[]): string {
  const share = (tried: Tried | null): string =>
    tried === null
      ? 'not reached'
      : [
          `${tried.answered} of ${tried.calls}`,
          ...(tried.unread === 0 ? [] : [`${tried.unread} unread`]),
          ...Object.entries(tried.refused).map(([status, times]) => `${times} with ${status}`),
        ].join(', ');
  return markdown(
    [
      'limit',
      'held by',
      'calls/min',
      'answered',
      'p50 ms',
      'p99 ms',
      'carries/min',
      '8 MB bodies',
      'RSS MB',
      'peak MB',
      'pressed',
      'ended',
    ],
    rows.map(({ limitMb, held, perMinute, open, carries, large, rssMb, peakMb, pressed, died }) => [
      `${limitMb} MB`,
      held,
      String(perMinute),
      share(open),
      open?.p50?.toFixed(2) ?? '',
      open?.p99?.toFixed(2) ?? '',
      carries === null ? '' : `${carries.perMinute.toFixed(0)} (${share(carries)})`,
      share(large),
      rssMb.map((mb) => mb.toFixed(0)).join(', '),
      peakMb?.toFixed(0) ?? '',
      pressed === null ? '' : String(pressed),
      died === null ? 'when asked' : `killed while ${died}`,
    ]),
  );
}

function formatFits(of: Readonly<Record<string, Fit>>, unit: string, slopeUnit: string, per: number): string {
  const said = Object.entries(of).map(
    ([name, { intercept, slope, r2, worst }]) =>
      `${name}: ${intercept.toFixed(1)} ${unit} + ${(slope * per).toPrecision(3)} ${slopeUnit}, ` +
      `R² ${r2.toFixed(4)}, furthest point ${(100 * worst).toFixed(0)} % off`,
  );
  return `Lines: ${said.join('; ')}`;
}

function formatSpread({ median, min, max }: Spread, digits: number, unit = ''): string {
  return `${median.toFixed(digits)}${unit} (${min.toFixed(digits)} - ${max.toFixed(digits)})`;
}
