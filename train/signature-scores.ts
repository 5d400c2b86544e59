import { supported } from '../src/detect/support.ts';
import type { Finding } from '../src/domain/finding.ts';
import { scoresByCategory } from '../src/domain/score.ts';

/** The scores of the signatures alone, for the three categories that can block a prompt or warn about it. */
export interface SignatureScore {
  readonly injection: number;
  readonly jailbreak: number;
  readonly evasion: number;
}

/** The scores of the signatures in a text that is so far from resembling attacks (src/detect/support.ts). */
export type ScoresByLack = (lack: number) => SignatureScore;

const NONE: SignatureScore = { injection: 0, jailbreak: 0, evasion: 0 };
export const NOTHING: ScoresByLack = () => NONE;

/** `tolerated` tells how much may lack for each finding. */
export function scoresByLack(findings: readonly Finding[], tolerated: (finding: Finding) => number): ScoresByLack {
  const all = findings.map((finding) => ({ finding, most: tolerated(finding) }));
  return (lack) => {
    const byCategory = scoresByCategory(all.map(({ finding, most }) => lacking(finding, lack - most)));
    const of = (wanted: string): number => byCategory.find(({ category }) => category === wanted)?.score ?? 0;
    return { injection: of('prompt-injection'), jailbreak: of('jailbreak'), evasion: of('encoding-evasion') };
  };
}

function lacking(finding: Finding, more: number): Finding {
  return more <= 0 ? finding : { ...finding, confidence: supported(finding.confidence, more) };
}

/**
 * Whether a text of one passage is blocked at the default sensitivity. Likeness counts as one more finding in the
 * category that the signatures indicate.
 */
export function isBlocked({ injection, jailbreak }: SignatureScore, likeness: number): boolean {
  return 1 - (1 - Math.max(injection, jailbreak)) * (1 - likeness) >= 0.5;
}
