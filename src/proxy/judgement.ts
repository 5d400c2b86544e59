import { failureReason, refusalForFailure, isFullyScanned, type FailurePolicy } from '../domain/failure.ts';
import type { Outcome } from '../domain/job.ts';
import { decide, type Policy, type ScanContext } from '../domain/policy.ts';
import { refuse, type Refusal } from '../domain/refusal.ts';
import { CLEAN, type Verdict } from '../domain/verdict.ts';
import type { Metrics, ScanResult } from '../observe/metrics.ts';

/** Turns the outcome of a request scan into a decision, for proxied requests and for POST /check alike. */

export interface Rules {
  readonly policy: Policy;
  readonly shadow: Policy | null;
  readonly failure: FailurePolicy;
}

export interface Judgement {
  /** Set when the body could not be scanned and must not pass for that reason. Null says nothing about `verdict`. */
  readonly refusal: Refusal | null;
  readonly verdict: Verdict;
  /** What a shadow policy would have said; null where there is none, or nothing was found. */
  readonly shadow: Verdict | null;
  /** Whether all text in the body was scanned. */
  readonly scanned: boolean;
  /** Why the scan failed, where the text goes on in spite of it; otherwise null. */
  readonly failOpen: string | null;
}

const TOKEN_IDS = refuse('unscannable_content', { message: 'Token ids cannot be scanned, send the prompt as text' });

/** Decides on an outcome and updates the metrics, so it must be called once per outcome. `seconds` is the scan time. */
export function judge(
  outcome: Outcome,
  rules: Rules,
  context: ScanContext,
  metrics: Metrics,
  seconds: number,
): Judgement {
  const judgement =
    outcome.kind === 'report' ? judgeReport(outcome, rules, context, metrics) : judgeFailure(outcome, rules, metrics);
  metrics.scan(scanResultOf(outcome, judgement), seconds);
  return judgement;
}

type Report = Extract<Outcome, { kind: 'report' }>;

function judgeFailure(failure: Exclude<Outcome, Report>, rules: Rules, metrics: Metrics): Judgement {
  const refusal = refusalForFailure(failure, rules.failure);
  if (failure.kind === 'unreadable') metrics.unscannable(failure.reason);
  const failOpen = refusal === null ? failureReason(failure) : null;
  if (failOpen !== null) metrics.failedOpen(failOpen);
  return { refusal, verdict: CLEAN, shadow: null, scanned: false, failOpen };
}

function judgeReport(
  { findings, unscannable }: Report,
  rules: Rules,
  context: ScanContext,
  metrics: Metrics,
): Judgement {
  const scanned = isFullyScanned(unscannable);
  for (const kind in unscannable) metrics.unscannable(kind, unscannable[kind]);
  if (rules.failure.token_ids === 'block' && 'token-ids' in unscannable)
    return { refusal: TOKEN_IDS, verdict: CLEAN, shadow: null, scanned, failOpen: null };
  if (findings.length === 0) return { refusal: null, verdict: CLEAN, shadow: null, scanned, failOpen: null };
  const verdict = decide(rules.policy, findings, context);
  if (verdict.category !== null) metrics.detection(verdict.category, verdict.action);
  const shadow = rules.shadow === null ? null : decide(rules.shadow, findings, context);
  if (shadow !== null && shadow.category !== null) metrics.shadow(shadow.category, shadow.action);
  return { refusal: null, verdict, shadow, scanned, failOpen: null };
}

function scanResultOf(outcome: Outcome, { refusal, verdict }: Judgement): ScanResult {
  if (outcome.kind !== 'report') return outcome.kind;
  return refusal !== null || verdict.action === 'block' ? 'block' : 'allow';
}
