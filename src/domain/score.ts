import type { Finding } from './finding.ts';
import { ANYWHERE, STRETCH } from './place.ts';
import { CATEGORIES, type Category } from './verdict.ts';

/**
 * Prefix of the signature id of a finding that only says that text was hidden. The method of hiding follows:
 * `hidden:…`.
 */
export const HIDDEN = 'hidden:';

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
export function combine(findings: readonly [Finding, ...Finding[]]): Score {
  const all = together(findings);
  if (findings.length === 1 || all.score === all.strongest.confidence) return all;
  let best: Score = { score: 0, strongest: all.strongest, counted: [] };
  for (const [begin, most] of stretchesOf(findings)) {
    if (most <= best.score) continue;
    const near = findings.filter((finding) => standsFrom(finding, begin));
    if (near.length === findings.length) return all;
    const score = together(near as [Finding, ...Finding[]]);
    if (score.score > best.score) best = score;
  }
  return best;
}

/**
 * Where stretches begin that may hold the most, and what each scores at most. In one pass, since a sender may write very
 * many findings: next to no stretch comes near the best, and only those that may are looked at closely.
 */
function* stretchesOf(findings: readonly Finding[]): Generator<readonly [begin: number, most: number]> {
  const doubts = new Map<string, { readonly log: number; here: number }>();
  for (const [kind, confidence] of surestOfKinds(findings)) doubts.set(kind, { log: Math.log1p(-confidence), here: 0 });
  const places = findings.flatMap((finding) => {
    const doubt = doubts.get(kindOf(finding))!;
    return (finding.places ?? ANYWHERE).map(([from, to]) => ({ doubt, from: from - STRETCH, to }));
  });
  const begun = [...places].sort((a, b) => a.from - b.from);
  const ended = [...places].sort((a, b) => a.to - b.to);
  let next = 0;
  let past = 0;
  let sum = 0;
  for (const { to: begin } of ended) {
    for (; next < begun.length && begun[next]!.from <= begin; next += 1) {
      const { doubt } = begun[next]!;
      if (doubt.here === 0) sum += doubt.log;
      doubt.here += 1;
    }
    for (; ended[past]!.to < begin; past += 1) {
      const { doubt } = ended[past]!;
      doubt.here -= 1;
      if (doubt.here === 0) sum -= doubt.log;
    }
    yield [begin, rounded(Math.exp(sum) - INEXACT)];
  }
}

/** More than what adding and subtracting loses. */
const INEXACT = 1e-9;

/** Whether it stands in the stretch that begins there. */
function standsFrom({ places = ANYWHERE }: Finding, begin: number): boolean {
  for (const [from, to] of places) if (to >= begin && from <= begin + STRETCH) return true;
  return false;
}

function rounded(spared: number): number {
  return Math.round((1 - spared) * 1e4) / 1e4;
}

/** The score of these findings, wherever they are. */
function together(findings: readonly [Finding, ...Finding[]]): Score {
  let strongest = findings[0];
  for (const finding of findings) if (finding.confidence > strongest.confidence) strongest = finding;
  let spared = 1;
  for (const confidence of surestOfKinds(findings).values()) spared *= 1 - confidence;
  return { score: rounded(spared), strongest, counted: findings };
}

/** What counts once: the highest confidence of each signature, and of all that is hidden. */
function surestOfKinds(findings: readonly Finding[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const finding of findings) {
    const kind = kindOf(finding);
    best.set(kind, Math.max(best.get(kind) ?? 0, finding.confidence));
  }
  return best;
}

function kindOf({ signature }: Finding): string {
  return signature.startsWith(HIDDEN) ? HIDDEN : signature;
}

/** The score of each category that has findings, with its strongest finding. */
export function scores(findings: readonly Finding[]): readonly (Score & { readonly category: Category })[] {
  return CATEGORIES.flatMap((category) => {
    const [first, ...rest] = findings.filter((finding) => finding.category === category);
    return first === undefined ? [] : [{ category, ...combine([first, ...rest]) }];
  });
}
