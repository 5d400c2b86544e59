import type { Exchange } from '../domain/exchange.ts';
import { failureReason, onFailure, readWhole, type FailurePolicy } from '../domain/failure.ts';
import type { Outcome, ScanJob } from '../domain/job.ts';
import { decide, type Policy, type Scene } from '../domain/policy.ts';
import { contentBlocked, refuse, type Refusal } from '../domain/refusal.ts';
import type { Metrics, ScanResult } from '../observe/metrics.ts';
import type { Scanner } from '../scanner/scanner.ts';

/** Where a request may be refused: the one place between the client's bytes and the upstream. */

export interface Rules {
  readonly policy: Policy;
  readonly shadow: Policy | null;
  readonly failure: FailurePolicy;
}

const TOKEN_IDS = refuse('unscannable_content', { message: 'Token ids cannot be scanned, send the prompt as text' });

/** Scans, decides, counts; the refusal, or null when the bytes may go on. */
export async function requestGate(
  scanner: Pick<Scanner, 'scan'>,
  metrics: Metrics,
  rules: Rules,
  job: ScanJob,
  scene: Scene,
  exchange: Exchange,
): Promise<Refusal | null> {
  const startedAt = performance.now();
  const outcome = await scanner.scan(job);
  const ms = performance.now() - startedAt;
  exchange.scanMs += ms;
  const refusal = resolve(outcome, metrics, rules, scene, exchange);
  metrics.scan(resultOf(outcome, refusal), ms / 1000);
  return refusal;
}

function resolve(outcome: Outcome, metrics: Metrics, rules: Rules, scene: Scene, exchange: Exchange): Refusal | null {
  if (outcome.kind !== 'report') {
    const refusal = onFailure(outcome, rules.failure);
    if (outcome.kind === 'unreadable') metrics.unscannable(outcome.reason);
    if (refusal === null) metrics.failedOpen(failureReason(outcome));
    return refusal;
  }
  exchange.scanned = readWhole(outcome.unscannable);
  for (const kind in outcome.unscannable) metrics.unscannable(kind, outcome.unscannable[kind]);
  if (rules.failure.token_ids === 'block' && 'token-ids' in outcome.unscannable) return TOKEN_IDS;
  if (outcome.findings.length === 0) return null;

  const verdict = decide(rules.policy, outcome.findings, scene);
  if (rules.shadow !== null) {
    const would = decide(rules.shadow, outcome.findings, scene);
    exchange.shadow = { action: would.action, category: would.category };
    if (would.category !== null) metrics.shadow(would.category, would.action);
  }
  if (verdict.category === null) return null;
  exchange.verdict = verdict;
  metrics.detection(verdict.category, verdict.action);
  return verdict.action === 'block' ? contentBlocked(verdict.category) : null;
}

function resultOf(outcome: Outcome, refusal: Refusal | null): ScanResult {
  if (outcome.kind !== 'report') return outcome.kind;
  return refusal === null ? 'allow' : 'block';
}
