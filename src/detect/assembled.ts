import type { Finding } from '../domain/finding.ts';
import type { Passage } from '../domain/passage.ts';
import type { Ruleset } from './ruleset.ts';
import { scan, type ScanOptions, type Scanned } from './scan.ts';

/**
 * Looks for sensitive data in texts that came in pieces. At the seams of the pieces, a number is not told from digits
 * that only happen to meet (`isLoose`); here they are known to be one text. So each is read by itself.
 */
export function sensitiveDataIn(ruleset: Ruleset, texts: readonly Passage[], options: ScanOptions): Scanned {
  const findings: Finding[] = [];
  for (const text of texts) {
    const scanned = scan(ruleset, [text], options);
    if (scanned.kind !== 'findings') return scanned;
    findings.push(...scanned.findings.filter(({ category }) => category === 'sensitive-data'));
  }
  return { kind: 'findings', findings };
}
