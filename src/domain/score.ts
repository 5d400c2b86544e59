import type { Finding } from './finding.ts';
import { ANYWHERE, STRETCH } from './place.ts';
import { CATEGORIES, type Category } from './verdict.ts';

export interface Score {
  readonly score: number;
  /** Of what counted. */
  readonly strongest: Finding;
}

/**
 * Distinct findings that stand near each other combine as 1 - Π(1 - c): weak signs add up, and no number of them reaches
 * certainty. One signature counts once, however often and in however many readings it hit, and so does what is hidden, in
 * however many ways it was read. Signs that stand far apart do not add up: else every long conversation would be an attack.
 */
export function combine(findings: readonly [Finding, ...Finding[]]): Score {
  const all = together(findings);
  if (findings.length === 1 || all.score === all.strongest.confidence) return all;
  const ends = new Set(findings.flatMap(({ places = ANYWHERE }) => places.map(([, to]) => to)));
  let best: Score = { score: 0, strongest: all.strongest };
  for (const end of ends) {
    const near = findings.filter(({ places = ANYWHERE }) =>
      places.some(([from, to]) => to >= end && from <= end + STRETCH),
    );
    if (near.length === findings.length) return all;
    const score = together(near as [Finding, ...Finding[]]);
    if (score.score > best.score) best = score;
  }
  return best;
}

function together(findings: readonly [Finding, ...Finding[]]): Score {
  const best = new Map<string, number>();
  let strongest = findings[0];
  for (const finding of findings) {
    const { signature, confidence } = finding;
    const kind = signature.startsWith(HIDDEN) ? HIDDEN : signature;
    best.set(kind, Math.max(best.get(kind) ?? 0, confidence));
    if (confidence > strongest.confidence) strongest = finding;
  }
  let spared = 1;
  for (const confidence of best.values()) spared *= 1 - confidence;
  return { score: Math.round((1 - spared) * 1e4) / 1e4, strongest };
}

/** Before the decoders that text was hidden from. */
export const HIDDEN = 'hidden:';

/** Per category: its score and the strongest of the findings that make it. */
export function scores(findings: readonly Finding[]): readonly (Score & { readonly category: Category })[] {
  return CATEGORIES.flatMap((category) => {
    const [first, ...rest] = findings.filter((finding) => finding.category === category);
    return first === undefined ? [] : [{ category, ...combine([first, ...rest]) }];
  });
}
