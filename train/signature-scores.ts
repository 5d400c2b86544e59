import { compile } from '../src/detect/ruleset.ts';
import { scan } from '../src/detect/scan.ts';
import { combine } from '../src/domain/score.ts';
import type { Signature } from '../src/domain/signature.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import type { Row } from './corpora.ts';

/** What the signatures alone say of a text, in the three categories a prompt can be blocked or warned for. */
export interface SignatureScore {
  readonly injection: number;
  readonly jailbreak: number;
  readonly evasion: number;
}

export function signatureScores(signatures: readonly Signature[], rows: readonly Row[]): Map<string, SignatureScore> {
  const compiled = compile(signatures, DECODERS);
  if ('problems' in compiled)
    throw new Error('the signatures do not compile: see npm run build and guard signatures lint');
  const scores = new Map<string, SignatureScore>();
  for (const { id, text } of rows) {
    const scanned = scan(compiled.ruleset, [{ text, role: 'user', where: 'text', message: 0 }], { sensitive: false });
    if (scanned.kind !== 'findings') continue;
    const of = (category: string): number =>
      combine(scanned.findings.filter((finding) => finding.category === category));
    const [injection, jailbreak, evasion] = [of('prompt-injection'), of('jailbreak'), of('encoding-evasion')];
    if (injection + jailbreak + evasion > 0) scores.set(id, { injection, jailbreak, evasion });
  }
  return scores;
}

export const NOTHING: SignatureScore = { injection: 0, jailbreak: 0, evasion: 0 };

/**
 * The rule by which a verdict is reached at the default sensitivity, on a text of one passage: likeness is one more finding
 * in the category that the signatures point to.
 */
export function isBlocked({ injection, jailbreak }: SignatureScore, likeness: number): boolean {
  return 1 - (1 - Math.max(injection, jailbreak)) * (1 - likeness) >= 0.5;
}
