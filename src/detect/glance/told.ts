/** What the spotter tells of a key: in these bits its number, and above them the flags of waiting.ts. */
export const NUMBER = 0xff_ffff;

/** A flag of waiting.ts, moved above the number. */
export function flagged(flag: number): number {
  return flag << 24;
}
