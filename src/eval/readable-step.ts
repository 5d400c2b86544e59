/** Rounds up to a readable step of a scale: 1, 2 or 5 times a power of ten. `0.34 -> 0.5`, `7 -> 10`. */
export function readableStep(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((times) => times * power >= value) ?? 10);
}
