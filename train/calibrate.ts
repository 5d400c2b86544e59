/**
 * What a score is worth. Not the share of attacks among such texts, which would depend on how many attacks a test set holds, but how
 * rarely honest text gets there: so many times as rarely as at the score that blocks.
 */
const WORTH: readonly (readonly [rarity: number, confidence: number])[] = [
  [0.36, 0.1],
  [0.46, 0.2],
  [0.66, 0.35],
  [1, 0.5],
  [2, 0.7],
];
/**
 * How far beyond the rarest point a text is as surely an attack as this model ever says: less surely than a good signature,
 * whose name tells an operator more.
 */
const BEYOND: readonly [score: number, confidence: number] = [2.5, 0.8];
/** Two points at one score would be a step; a reading one bit away should not be. */
const LEAST_RISE = 0.05;
/** Where the tail of honest scores is thick enough to be measured; beyond, the next five texts would say anything. */
const MEASURED = [0.015, 0.01, 0.007, 0.005, 0.0035, 0.0025];

/** `honest`: the scores of text that the model has not seen, each with the weight of its corpus. One in `blocks` of it is blocked. */
export function calibrationFrom(
  blocks: number,
  honest: readonly { score: number; weight: number }[],
): [number, number][] {
  const falling = [...honest].sort((a, b) => b.score - a.score);
  const total = falling.reduce((sum, { weight }) => sum + weight, 0);
  const reached = (share: number): number => {
    let above = 0;
    for (const { score, weight } of falling) {
      above += weight;
      if (above > share * total) return score;
    }
    return falling.at(-1)?.score ?? 0;
  };
  const { start, slope } = lineThrough(MEASURED.map((share) => [Math.log(share), reached(share)]));
  const points = WORTH.map(([rarity, confidence]): [number, number] => [
    start - slope * Math.log(blocks * rarity),
    confidence,
  ]);
  const last = points.at(-1)!;
  points.push([last[0] + BEYOND[0], BEYOND[1]]);
  for (let i = 1; i < points.length; i += 1) points[i]![0] = Math.max(points[i]![0], points[i - 1]![0] + LEAST_RISE);
  return points.map(([score, confidence]) => [Math.round(score * 1e3) / 1e3, confidence]);
}

/** Least squares. */
function lineThrough(points: readonly (readonly [number, number])[]): { start: number; slope: number } {
  const mean = (of: (point: readonly [number, number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point[0]), mean((point) => point[1])];
  const spread = mean((point) => (point[0] - x) ** 2);
  const slope = mean((point) => (point[0] - x) * (point[1] - y)) / spread;
  return { start: y - slope * x, slope };
}
