import type { Finding } from '../domain/finding.ts';
import type { Direction, Outcome } from '../domain/job.ts';
import { decide, type Policy, type Scene } from '../domain/policy.ts';
import type { Action, Category } from '../domain/verdict.ts';
import type { Label, Labelled } from './labelled.ts';

/** One text after judgement: everything that the figures are made of, and nothing of the text. */
export interface Judged {
  readonly id: string;
  readonly label: Label;
  readonly subtype: string;
  readonly action: Action;
  readonly category: Category | null;
  readonly score: number;
  /** The lowest place of the dial, `policy.sensitivity`, at which it is blocked; null when at none. */
  readonly blockedFrom: number | null;
  /** What was found, the surest first. */
  readonly found: readonly Found[];
  /** Those of `found` without any one of which it would not be blocked. */
  readonly needed: readonly string[];
  /** The scanner would not read it to its end, so the proxy refuses it. */
  readonly refused?: string;
}

export type Found = readonly [signature: string, confidence: number, category: Category];

export const isAttack = ({ label }: Judged): boolean => label !== 'benign';
export const isBlocked = ({ action }: Judged): boolean => action === 'block';
export const isFound = ({ found, refused }: Judged): boolean => found.length > 0 || refused !== undefined;
export const isSeen = ({ action }: Judged): boolean => action !== 'allow';

/** Places of the dial at which a text is judged. Finer than anybody turns it. */
export const STEPS = 50;

/**
 * The one place where an evaluation turns findings into a verdict, and it asks the proxy's own policy. Null: the scan
 * failed, which says nothing about the text.
 */
export function judge(policy: Policy, row: Labelled, outcome: Outcome, direction: Direction): Judged | null {
  const { id, label, subtype } = row;
  if (outcome.kind === 'unreadable') {
    const refused = { action: 'block', category: null, score: 0, blockedFrom: 0, refused: outcome.reason } as const;
    return { id, label, subtype, ...refused, found: [], needed: [] };
  }
  if (outcome.kind !== 'report') return null;
  const { findings } = outcome;
  const scene: Scene = { direction, upstream: null, path: '', client: null, now: 0 };
  const verdict = decide(policy, findings, scene);
  const blocks = (some: readonly Finding[], under: Policy): boolean => decide(under, some, scene).action === 'block';

  // The same rule as in domain/score.ts: a signature counts once, by its surest hit.
  const best = new Map<string, Found>();
  for (const { signature, confidence, category } of findings)
    if (confidence > (best.get(signature)?.[1] ?? 0)) best.set(signature, [signature, confidence, category]);
  const found = [...best.values()].sort((a, b) => b[1] - a[1]);
  const needed =
    verdict.action === 'block'
      ? found.flatMap(([name]) =>
          blocks(
            findings.filter(({ signature }) => signature !== name),
            policy,
          )
            ? []
            : [name],
        )
      : [];
  return {
    id,
    label,
    subtype,
    action: verdict.action,
    category: verdict.category,
    score: verdict.confidence,
    blockedFrom:
      findings.length === 0 ? null : lowestOf((sensitivity) => blocks(findings, turned(policy, sensitivity))),
    found,
    needed,
  };
}

/** The dial in another place. A category with a place of its own stays there, as it does in a configuration. */
function turned(policy: Policy, sensitivity: number): Policy {
  const categories = Object.entries(policy.categories).map(([name, rule]) => {
    const own = rule.sensitivity !== undefined && rule.sensitivity !== policy.sensitivity;
    return [name, own ? rule : { ...rule, sensitivity }] as const;
  });
  return { ...policy, sensitivity, categories: Object.fromEntries(categories) };
}

/** What is blocked at one place of the dial is blocked at every higher one, so half of the places are never asked. */
function lowestOf(blocks: (sensitivity: number) => boolean): number | null {
  if (!blocks(1)) return null;
  let [low, high] = [0, STEPS];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (blocks(middle / STEPS)) high = middle;
    else low = middle + 1;
  }
  return high / STEPS;
}
