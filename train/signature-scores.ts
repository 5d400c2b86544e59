/** What the signatures alone say of a text, in the three categories a prompt can be blocked or warned for. */
export interface SignatureScore {
  readonly injection: number;
  readonly jailbreak: number;
  readonly evasion: number;
}

export const NOTHING: SignatureScore = { injection: 0, jailbreak: 0, evasion: 0 };

/**
 * The rule by which a verdict is reached at the default sensitivity, on a text of one passage: likeness is one more finding
 * in the category that the signatures point to.
 */
export function isBlocked({ injection, jailbreak }: SignatureScore, likeness: number): boolean {
  return 1 - (1 - Math.max(injection, jailbreak)) * (1 - likeness) >= 0.5;
}
