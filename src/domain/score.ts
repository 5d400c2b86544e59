import type { Finding } from './finding.ts';
import { CATEGORIES, type Category } from './verdict.ts';

/**
 * Distinct findings of one category combine as 1 - Π(1 - c): weak signs add up, and no number of them reaches certainty.
 * One signature counts once, however often and in however many readings it hit.
 */
export function combine(findings: readonly Finding[]): number {
  const best = new Map<string, number>();
  for (const { signature, confidence } of findings) {
    best.set(signature, Math.max(best.get(signature) ?? 0, confidence));
  }
  let spared = 1;
  for (const confidence of best.values()) spared *= 1 - confidence;
  return Math.round((1 - spared) * 1e4) / 1e4;
}

/** Per category: its score and the strongest of its findings. */
export function scores(
  findings: readonly Finding[],
): readonly { readonly category: Category; readonly score: number; readonly strongest: Finding }[] {
  return CATEGORIES.flatMap((category) => {
    const mine = findings.filter((finding) => finding.category === category);
    return mine.length === 0 ? [] : [{ category, score: combine(mine), strongest: strongestOf(mine) }];
  });
}

export function strongestOf(findings: readonly Finding[]): Finding {
  return findings.reduce((a, b) => (b.confidence > a.confidence ? b : a));
}
