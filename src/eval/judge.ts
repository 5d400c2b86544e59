import type { Finding } from '../domain/finding.ts';
import type { Direction, Outcome } from '../domain/job.ts';
import { decide, type Policy, type ScanContext } from '../domain/policy.ts';
import type { Action, Category } from '../domain/verdict.ts';
import type { Label, Labelled } from './labelled.ts';

/** The result for one text: everything that the figures need, but not the text itself. */
export interface Judged {
  readonly id: string;
  readonly label: Label;
  readonly subtype: string;
  readonly action: Action;
  readonly category: Category | null;
  readonly score: number;
  /** The lowest `policy.sensitivity` at which it is blocked, or null if it never is. */
  readonly blockedFrom: number | null;
  /** The findings, highest confidence first. */
  readonly found: readonly Found[];
  /** The signatures without any single one of which the text would not be blocked. */
  readonly needed: readonly string[];
  /** Set when the scanner could not read all of the text, in which case the proxy refuses it. */
  readonly refused?: string;
}

export type Found = readonly [signature: string, confidence: number, category: Category];

export const isAttack = ({ label }: Judged): boolean => label !== 'benign';
export const isBlocked = ({ action }: Judged): boolean => action === 'block';
/** Anything was found, whatever its score. */
export const isFound = ({ found, refused }: Judged): boolean => found.length > 0 || refused !== undefined;
/** The action is anything but allow. */
export const isSeen = ({ action }: Judged): boolean => action !== 'allow';

/** The number of steps of the sensitivity from 0 to 1, finer than anybody sets it. */
export const STEPS = 50;

/**
 * Turns findings into a result. This is the only place where an evaluation does so, and it uses the proxy's own
 * policy code. Null means that the scan failed, which says nothing about the text.
 */
export function judge(policy: Policy, row: Labelled, outcome: Outcome, direction: Direction): Judged | null {
  const { id, label, subtype } = row;
  if (outcome.kind === 'unreadable') {
    const refused = { action: 'block', category: null, score: 0, blockedFrom: 0, refused: outcome.reason } as const;
    return { id, label, subtype, ...refused, found: [], needed: [] };
  }
  if (outcome.kind !== 'report') return null;
  const { findings } = outcome;
  const context: ScanContext = { direction, upstream: null, path: '', client: () => null, now: 0 };
  const verdict = decide(policy, findings, context);
  const blocks = (some: readonly Finding[], under: Policy): boolean => decide(under, some, context).action === 'block';

  // As in domain/score.ts, a signature counts once, with its highest confidence.
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
      findings.length === 0
        ? null
        : lowestSensitivity((sensitivity) => blocks(findings, withSensitivity(policy, sensitivity))),
    found,
    needed,
  };
}

/** The policy with another sensitivity. A category that sets its own keeps it, as in a configuration. */
function withSensitivity(policy: Policy, sensitivity: number): Policy {
  const categories = Object.entries(policy.categories).map(([name, rule]) => {
    const own = rule.sensitivity !== undefined && rule.sensitivity !== policy.sensitivity;
    return [name, own ? rule : { ...rule, sensitivity }] as const;
  });
  return { ...policy, sensitivity, categories: Object.fromEntries(categories) };
}

/** Binary search: what is blocked at one sensitivity is blocked at every higher one. */
function lowestSensitivity(blocks: (sensitivity: number) => boolean): number | null {
  if (!blocks(1)) return null;
  let [low, high] = [0, STEPS];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (blocks(middle / STEPS)) high = middle;
    else low = middle + 1;
  }
  return high / STEPS;
}
