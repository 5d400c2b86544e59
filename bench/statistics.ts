/** The few numbers that a row of results is. Medians, because on a shared machine the mean belongs to the neighbours. */

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread {
  if (values.length === 0) throw new RangeError('no values');
  const sorted = [...values].sort((a, b) => a - b);
  return { median: percentile(sorted, 50), min: sorted[0]!, max: sorted[sorted.length - 1]! };
}

/** Of values in order of size; between two of them it goes straight. */
export function percentile(sorted: readonly number[], percent: number): number {
  if (sorted.length === 0) throw new RangeError('no values');
  const at = ((sorted.length - 1) * percent) / 100;
  const below = Math.floor(at);
  const above = Math.ceil(at);
  return sorted[below]! + (sorted[above]! - sorted[below]!) * (at - below);
}
