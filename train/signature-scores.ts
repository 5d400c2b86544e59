/** The scores of the signatures alone, for the three categories that can block a prompt or warn about it. */
export interface SignatureScore {
  readonly injection: number;
  readonly jailbreak: number;
  readonly evasion: number;
}

export const NOTHING: SignatureScore = { injection: 0, jailbreak: 0, evasion: 0 };

/**
 * Whether a text of one passage is blocked at the default sensitivity. Likeness counts as one more finding in the
 * category that the signatures indicate.
 */
export function isBlocked({ injection, jailbreak }: SignatureScore, likeness: number): boolean {
  return 1 - (1 - Math.max(injection, jailbreak)) * (1 - likeness) >= 0.5;
}
