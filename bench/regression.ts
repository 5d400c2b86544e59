/** Compares a run with the committed one. It uses ratios, because milliseconds depend on the machine. */
import { markdown } from '../src/eval/markdown.ts';
import type { Ratio, Ratios } from './ratios.ts';

export const TOLERANCE = 0.15;

export interface Compared {
  readonly name: string;
  readonly verdict: 'holds' | 'dropped' | 'missing' | 'new';
  readonly committed: Ratio | null;
  readonly fresh: Ratio | null;
  /** How much worse, as a fraction; negative when it is better. */
  readonly worse: number | null;
}

export function compare(committed: Ratios, fresh: Ratios): Compared[] {
  const names = [...new Set([...Object.keys(committed), ...Object.keys(fresh)])];
  return names.map((name): Compared => {
    const [was, is] = [committed[name] ?? null, fresh[name] ?? null];
    // A row that is no longer measured counts as a failure; otherwise it would pass forever.
    if (was === null || is === null)
      return { name, verdict: was === null ? 'new' : 'missing', committed: was, fresh: is, worse: null };
    const worse = was.better === 'low' ? is.median / was.median - 1 : 1 - is.median / was.median;
    return { name, verdict: worse > TOLERANCE ? 'dropped' : 'holds', committed: was, fresh: is, worse };
  });
}

/**
 * Keeps only failures that occur twice: other work on the machine can double a ratio once, while a real regression
 * shows up again.
 */
export function confirmed(first: readonly Compared[], second: readonly Compared[]): Compared[] {
  const again = new Map(second.map((row) => [row.name, row]));
  return first.map((row) => {
    const other = again.get(row.name);
    return isFailure(row) && other !== undefined && !isFailure(other) ? other : row;
  });
}

export function isFailure({ verdict }: Compared): boolean {
  return verdict === 'dropped' || verdict === 'missing';
}

export function regressionTable(rows: readonly Compared[]): string {
  const range = (ratio: Ratio | null): string =>
    ratio === null ? '' : `${ratio.median.toFixed(3)} (${ratio.min.toFixed(3)} - ${ratio.max.toFixed(3)})`;
  const cells = rows.map(({ name, verdict, committed, fresh, worse }) => [
    name,
    range(committed),
    range(fresh),
    worse === null ? '' : `${worse > 0 ? '+' : ''}${(100 * worse).toFixed(0)} %`,
    verdict,
  ]);
  return markdown(['row', 'committed', 'now', 'worse by', 'verdict'], cells);
}
