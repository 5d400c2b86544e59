import type { Finding } from './finding.ts';
import type { Direction } from './job.ts';
import type { Role } from './passage.ts';
import { plainPath } from './plain-path.ts';
import { combinedScore } from './score.ts';
import { ACTIONS, CATEGORIES, CLEAN, type Action, type Category, type Verdict } from './verdict.ts';

/**
 * The operator's policy, applied to findings. Pure: the same findings under the same policy always give the same
 * verdict.
 */

export interface CategoryPolicy {
  readonly action: Action;
  /**
   * For requests, where it differs from `action`: a secret in a prompt is worth a log line, in a response it is a
   * leak.
   */
  readonly request_action?: Action | undefined;
  readonly sensitivity?: number | undefined;
}

/** Findings that are not to count. Every condition that is set must match. */
export interface Exclusion {
  readonly signature?: string | undefined;
  readonly category?: Category | undefined;
  readonly upstream?: string | undefined;
  /** Covers this path and those below it. It starts below the upstream's name. */
  readonly path?: string | undefined;
  readonly client?: string | undefined;
  /** The last day on which it applies, as `2027-01-31` (UTC). An expired exclusion excludes nothing. */
  readonly until?: string | undefined;
  readonly reason: string;
}

export interface Policy {
  readonly sensitivity: number;
  readonly default_action: Action;
  readonly categories: Readonly<Partial<Record<Category, CategoryPolicy>>>;
  readonly roles: Readonly<Partial<Record<Role, Action>>>;
  readonly exclusions: readonly Exclusion[];
}

/** Where the text was found: everything that an exclusion can be narrowed to. */
export interface ScanContext {
  readonly direction: Direction;
  readonly upstream: string | null;
  readonly path: string;
  /** Asked for only where an exclusion names a client: behind trusted proxies, finding it takes microseconds. */
  readonly client: () => string | null;
  readonly now: number;
}

/** Whether requests are scanned for secrets. They are not when every policy would allow one that is found. */
export function scansRequestsForSecrets(...policies: readonly (Policy | null)[]): boolean {
  return policies.some((policy) => {
    const rule = policy?.categories['sensitive-data'];
    return rule !== undefined && (rule.request_action ?? rule.action) !== 'allow';
  });
}

/** The verdict with the strictest action and, among equals, the highest score. */
export function decide(policy: Policy, findings: readonly Finding[], context: ScanContext): Verdict {
  if (findings.length === 0) return CLEAN;
  const counted =
    policy.exclusions.length === 0 ? findings : findings.filter((finding) => !isExcluded(policy, finding, context));
  let best: Verdict = CLEAN;
  for (const category of CATEGORIES) {
    const ofCategory = counted.filter((finding) => finding.category === category);
    if (ofCategory.length === 0) continue;
    const verdict = judge(policy, category, ofCategory, context.direction);
    if (verdict !== null && isStronger(verdict, best)) best = verdict;
  }
  return best;
}

/**
 * An action applies when the findings that may cause it score enough together; a role caps the action that its text
 * can cause. So an attack quoted in a system prompt can cause a warning, but does not add to the score that blocks
 * the user's message.
 */
function judge(policy: Policy, category: Category, findings: readonly Finding[], direction: Direction): Verdict | null {
  const rule = policy.categories[category];
  const ceiling = (direction === 'request' ? rule?.request_action : undefined) ?? rule?.action ?? policy.default_action;
  const threshold = 1 - (rule?.sensitivity ?? policy.sensitivity);
  for (let rank = ACTIONS.indexOf(ceiling); rank > 0; rank -= 1) {
    const [first, ...rest] = findings.filter((finding) => ACTIONS.indexOf(capOf(policy, finding, direction)) >= rank);
    if (first === undefined) continue;
    const { score, strongest } = combinedScore([first, ...rest]);
    // Rounded like the score: a floating-point error such as 0.1 + 0.2 must not decide whether a request is blocked.
    if (score === 0 || score < round(threshold)) continue;
    const { name: signatureName, signature: signatureId } = strongest;
    return { action: ACTIONS[rank]!, category, signatureName, signatureId, confidence: score };
  }
  return null;
}

/** A role caps the action in requests. A response has one author, and what it leaks is leaked whatever its role. */
function capOf(policy: Policy, finding: Finding, direction: Direction): Action {
  return direction === 'response' ? 'block' : (policy.roles[finding.role] ?? 'block');
}

/** Whether `a` has a stricter action than `b` or, with the same action, a higher confidence. */
export function isStronger(a: Verdict, b: Verdict): boolean {
  const rank = ACTIONS.indexOf(a.action) - ACTIONS.indexOf(b.action);
  return rank > 0 || (rank === 0 && a.confidence > b.confidence);
}

const DAY_MS = 86_400_000;

/** An exclusion counts up to and including the day in its `until`. */
export function endOfDay(until: string): number {
  return Date.parse(until) + DAY_MS;
}

function isExcluded(policy: Policy, finding: Finding, context: ScanContext): boolean {
  return policy.exclusions.some(
    (exclusion) =>
      (exclusion.signature === undefined || exclusion.signature === finding.signature) &&
      (exclusion.category === undefined || exclusion.category === finding.category) &&
      (exclusion.upstream === undefined || exclusion.upstream === context.upstream) &&
      (exclusion.client === undefined || exclusion.client === context.client()) &&
      (exclusion.until === undefined || context.now < endOfDay(exclusion.until)) &&
      (exclusion.path === undefined || liesBelow(context.path, exclusion.path)),
  );
}

/** Whether the path, however it is spelled, is the other or lies below it: `/v1/files/7` lies below `/v1/files`. */
function liesBelow(path: string, above: string): boolean {
  return path !== '' && `${plainPath(path)}/`.startsWith(`${plainPath(above)}/`);
}

function round(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}
