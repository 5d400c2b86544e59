/**
 * Maps scores to confidences. A confidence does not come from the share of attacks at a score, which would depend on
 * the number of attacks in a test set. It comes from how rare such a score is among benign texts, relative to the
 * score that blocks.
 */
const CONFIDENCE_AT_RARITY: readonly (readonly [rarity: number, confidence: number])[] = [
  [0.36, 0.1],
  [0.46, 0.2],
  [0.66, 0.35],
  [1, 0.5],
  [2, 0.7],
];
/**
 * The last point, relative to the one before: the highest confidence that this model gives. It is lower than that of
 * a good signature, whose name tells an operator more.
 */
const LAST_POINT: readonly [score: number, confidence: number] = [2.5, 0.8];
/**
 * The least distance between two points. Two points at one score would be a step, and the confidence must not jump
 * when a text differs slightly.
 */
const MIN_RISE = 0.05;
/**
 * The shares at which the tail of benign scores is dense enough to be measured. Further out, a handful of texts would
 * decide.
 */
const MEASURED_SHARES = [0.015, 0.01, 0.007, 0.005, 0.0035, 0.0025];

/**
 * `honest` holds the scores of benign texts that the model has not seen, each weighted by its corpus. One in
 * `oneBlockedIn` of them is blocked.
 */
export function calibrationFrom(
  oneBlockedIn: number,
  honest: readonly { score: number; weight: number }[],
): [number, number][] {
  const byFallingScore = [...honest].sort((a, b) => b.score - a.score);
  const total = byFallingScore.reduce((sum, { weight }) => sum + weight, 0);
  const scoreAtShare = (share: number): number => {
    let above = 0;
    for (const { score, weight } of byFallingScore) {
      above += weight;
      if (above > share * total) return score;
    }
    return byFallingScore.at(-1)?.score ?? 0;
  };
  const { start, slope } = lineThrough(MEASURED_SHARES.map((share) => [Math.log(share), scoreAtShare(share)]));
  const points = CONFIDENCE_AT_RARITY.map(([rarity, confidence]): [number, number] => [
    start - slope * Math.log(oneBlockedIn * rarity),
    confidence,
  ]);
  const last = points.at(-1)!;
  points.push([last[0] + LAST_POINT[0], LAST_POINT[1]]);
  for (let i = 1; i < points.length; i += 1) points[i]![0] = Math.max(points[i]![0], points[i - 1]![0] + MIN_RISE);
  return points.map(([score, confidence]) => [Math.round(score * 1e3) / 1e3, confidence]);
}

/** A least-squares fit. */
function lineThrough(points: readonly (readonly [number, number])[]): { start: number; slope: number } {
  const mean = (of: (point: readonly [number, number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point[0]), mean((point) => point[1])];
  const spread = mean((point) => (point[0] - x) ** 2);
  const slope = mean((point) => (point[0] - x) * (point[1] - y)) / spread;
  return { start: y - slope * x, slope };
}
