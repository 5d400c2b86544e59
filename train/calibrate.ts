/**
 * What a score is worth. Not the share of attacks among such texts, which would depend on how many attacks a test set holds,
 * but how rarely honest text gets there: what one honest text in five hundred reaches is a weak sign, what one in fifteen
 * hundred reaches blocks by itself. The band between is narrow, because weak signs of signatures are not rare in code and in
 * prose about attacks, and together with a wide one they blocked both.
 */
const WORTH: readonly (readonly [honestShare: number, confidence: number])[] = [
  [0.002, 0.1],
  [0.0015, 0.2],
  [0.001, 0.35],
  [0.0007, 0.5],
  [0.0003, 0.7],
];
/**
 * How far beyond the rarest point a text is as surely an attack as this model ever says: less surely than a good signature,
 * whose name tells an operator more.
 */
const BEYOND: readonly [score: number, confidence: number] = [2.5, 0.8];
/** Two points at one score would be a step; a reading one bit away should not be. */
const LEAST_RISE = 0.05;

/** The scores of honest text that the model has not seen, each with the weight of its corpus. */
export function calibrationFrom(honest: readonly { score: number; weight: number }[]): [number, number][] {
  const falling = [...honest].sort((a, b) => b.score - a.score);
  const total = falling.reduce((sum, { weight }) => sum + weight, 0);
  const points = WORTH.map(([share, confidence]): [number, number] => {
    let above = 0;
    for (const { score, weight } of falling) {
      above += weight;
      if (above > share * total) return [score, confidence];
    }
    return [falling.at(-1)?.score ?? 0, confidence];
  });
  const last = points.at(-1)!;
  points.push([last[0] + BEYOND[0], BEYOND[1]]);
  for (let i = 1; i < points.length; i += 1) points[i]![0] = Math.max(points[i]![0], points[i - 1]![0] + LEAST_RISE);
  return points.map(([score, confidence]) => [Math.round(score * 1e3) / 1e3, confidence]);
}
