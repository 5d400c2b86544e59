import type { Finding } from './finding.ts';
import { ANYWHERE, NEAR_DISTANCE } from './place.ts';
import { CATEGORIES, type Category } from './verdict.ts';

/**
 * Prefix of the signature id of a finding that only says that text was hidden. The method of hiding follows:
 * `hidden:…`.
 */
export const HIDDEN_PREFIX = 'hidden:';

export interface Score {
  readonly score: number;
  /** The strongest of the findings that the score counts. */
  readonly strongest: Finding;
  /** What counted: the findings that stand near each other. */
  readonly counted: readonly Finding[];
}

/**
 * Distinct findings near each other combine as 1 - Π(1 - c): weak signs add up, and no number of them reaches
 * certainty. A signature counts once, however often and in however many readings it matched. All `hidden:` findings
 * together count once as well. Findings that are far apart do not add up; otherwise every long conversation would be
 * an attack.
 */
export function combinedScore(findings: readonly [Finding, ...Finding[]]): Score {
  const all = scoreAnywhere(findings);
  if (findings.length === 1 || all.score === all.strongest.confidence) return all;
  let best: Score = { score: 0, strongest: all.strongest, counted: [] };
  for (const [begin, upperBound] of stretchesOf(findings)) {
    if (upperBound <= best.score) continue;
    const near = findings.filter((finding) => isInStretch(finding, begin));
    if (near.length === findings.length) return all;
    const score = scoreAnywhere(near as [Finding, ...Finding[]]);
    if (score.score > best.score) best = score;
  }
  return best;
}

/**
 * The beginnings of stretches (NEAR_DISTANCE long) that may have the highest score, each with an upper bound of its
 * score. In one pass, since a sender may write very many findings: next to no stretch comes near the best, and only
 * those that may are looked at closely.
 */
function* stretchesOf(findings: readonly Finding[]): Generator<readonly [begin: number, upperBound: number]> {
  /** For each kind the logarithm of the doubt that it leaves, and how many of its places are in the stretch. */
  const doubts = new Map<string, { readonly log: number; inStretch: number }>();
  for (const [kind, confidence] of highestConfidences(findings))
    doubts.set(kind, { log: Math.log1p(-confidence), inStretch: 0 });
  const places = findings.flatMap((finding) => {
    const doubt = doubts.get(kindOf(finding))!;
    return (finding.places ?? ANYWHERE).map(([from, to]) => ({ doubt, from: from - NEAR_DISTANCE, to }));
  });
  const byStart = [...places].sort((a, b) => a.from - b.from);
  const byEnd = [...places].sort((a, b) => a.to - b.to);
  let entered = 0;
  let left = 0;
  let logOfDoubt = 0;
  for (const { to: begin } of byEnd) {
    for (; entered < byStart.length && byStart[entered]!.from <= begin; entered += 1) {
      const { doubt } = byStart[entered]!;
      if (doubt.inStretch === 0) logOfDoubt += doubt.log;
      doubt.inStretch += 1;
    }
    for (; byEnd[left]!.to < begin; left += 1) {
      const { doubt } = byEnd[left]!;
      doubt.inStretch -= 1;
      if (doubt.inStretch === 0) logOfDoubt -= doubt.log;
    }
    yield [begin, scoreOfDoubt(Math.exp(logOfDoubt) - ROUNDING_LOSS)];
  }
}

/** More than what adding and subtracting logarithms loses. */
const ROUNDING_LOSS = 1e-9;

/** Whether a place of the finding is in the stretch that begins there. */
function isInStretch({ places = ANYWHERE }: Finding, begin: number): boolean {
  for (const [from, to] of places) if (to >= begin && from <= begin + NEAR_DISTANCE) return true;
  return false;
}

function scoreOfDoubt(doubt: number): number {
  return Math.round((1 - doubt) * 1e4) / 1e4;
}

/** The score of these findings, wherever they are. */
function scoreAnywhere(findings: readonly [Finding, ...Finding[]]): Score {
  let strongest = findings[0];
  for (const finding of findings) if (finding.confidence > strongest.confidence) strongest = finding;
  let doubt = 1;
  for (const confidence of highestConfidences(findings).values()) doubt *= 1 - confidence;
  return { score: scoreOfDoubt(doubt), strongest, counted: findings };
}

/** What counts once: the highest confidence of each signature, and of all that is hidden. */
function highestConfidences(findings: readonly Finding[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const finding of findings) {
    const kind = kindOf(finding);
    best.set(kind, Math.max(best.get(kind) ?? 0, finding.confidence));
  }
  return best;
}

function kindOf({ signature }: Finding): string {
  return signature.startsWith(HIDDEN_PREFIX) ? HIDDEN_PREFIX : signature;
}

/** The score of each category that has findings, with its strongest finding. */
export function scoresByCategory(findings: readonly Finding[]): readonly (Score & { readonly category: Category })[] {
  return CATEGORIES.flatMap((category) => {
    const [first, ...rest] = findings.filter((finding) => finding.category === category);
    return first === undefined ? [] : [{ category, ...combinedScore([first, ...rest]) }];
  });
}
