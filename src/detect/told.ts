/** What is told of a key that was spotted: what it is to those who ask, and above it the flags of waiting.ts. */
export const NUMBER = 0xff_ffff;

/** A flag, as it stands above the number. */
export function flagged(flag: number): number {
  return flag << 24;
}
