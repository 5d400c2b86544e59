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
  const ends = new Set(findings.flatMap(({ places = ANYWHERE }) => places.map(([, to]) => to)));
  let best: Score = { score: 0, strongest: all.strongest };
  for (const end of ends) {
    const near = findings.filter((finding) => standsFrom(finding, end));
    if (near.length === findings.length) return all;
    // An upper bound, as if each finding were a distinct sign. It rules out nearly every stretch cheaply, and a
    // sender may cause very many.
    if (rounded(near.reduce((spared, { confidence }) => spared * (1 - confidence), 1)) <= best.score) continue;
    const score = together(near as [Finding, ...Finding[]]);
    if (score.score > best.score) best = score;
  }
  return best;
}

/** Whether the finding has a place in the stretch that starts at `begin`. */
function standsFrom({ places = ANYWHERE }: Finding, begin: number): boolean {
  for (const [from, to] of places) if (to >= begin && from <= begin + STRETCH) return true;
  return false;
}

function rounded(spared: number): number {
  return Math.round((1 - spared) * 1e4) / 1e4;
}

/** The score of these findings, wherever they are. */
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
  return { score: rounded(spared), strongest };
}

/** The score of each category that has findings, with its strongest finding. */
export function scores(findings: readonly Finding[]): readonly (Score & { readonly category: Category })[] {
  return CATEGORIES.flatMap((category) => {
    const [first, ...rest] = findings.filter((finding) => finding.category === category);
    return first === undefined ? [] : [{ category, ...combine([first, ...rest]) }];
  });
}
