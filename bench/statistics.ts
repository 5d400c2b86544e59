/** Statistics for results. Medians are used, because on a shared machine other processes distort the mean. */

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The median and the range of values. */
export function spread(values: readonly number[]): Spread {
  if (values.length === 0) throw new RangeError('no values');
  const sorted = [...values].sort((a, b) => a - b);
  return { median: percentile(sorted, 50), min: sorted[0]!, max: sorted[sorted.length - 1]! };
}

/** The percentile of sorted values, interpolated linearly. */
export function percentile(sorted: readonly number[], percent: number): number {
  if (sorted.length === 0) throw new RangeError('no values');
  const at = ((sorted.length - 1) * percent) / 100;
  const below = Math.floor(at);
  const above = Math.ceil(at);
  return sorted[below]! + (sorted[above]! - sorted[below]!) * (at - below);
}

export interface Fit {
  readonly intercept: number;
  readonly slope: number;
  /** The share of the variation that the line explains. */
  readonly r2: number;
  /** The largest deviation of a point from the line, relative to the line. */
  readonly worst: number;
}

/**
 * Fits a line through points that span several orders of magnitude. Deviations are weighted in proportion to the
 * value; plain least squares would consider only the largest points and call almost anything a line.
 */
export function linearFit(points: readonly (readonly [x: number, y: number])[]): Fit {
  if (new Set(points.map(([x]) => x)).size < 2) throw new RangeError('a line needs two places');
  if (points.some(([, y]) => y <= 0)) throw new RangeError('only what costs something can be off in proportion');
  let [weight, meanX, meanY] = [0, 0, 0];
  for (const [x, y] of points) {
    const w = 1 / y ** 2;
    weight += w;
    meanX += w * x;
    meanY += w * y;
  }
  meanX /= weight;
  meanY /= weight;
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of points) {
    const w = 1 / y ** 2;
    xx += w * (x - meanX) ** 2;
    xy += w * (x - meanX) * (y - meanY);
    yy += w * (y - meanY) ** 2;
  }
  const slope = xy / xx;
  const intercept = meanY - slope * meanX;
  let off = 0;
  let worst = 0;
  for (const [x, y] of points) {
    const line = intercept + slope * x;
    off += ((y - line) / y) ** 2;
    worst = Math.max(worst, Math.abs(y - line) / Math.max(Number.MIN_VALUE, Math.abs(line)));
  }
  return { intercept, slope, r2: yy === 0 ? 1 : 1 - off / yy, worst };
}

/** Rotates the order of contestants each round, because the first one meets a machine that has just rested. */
export function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
