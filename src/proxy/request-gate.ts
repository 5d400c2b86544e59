import type { Exchange } from '../domain/exchange.ts';
import type { HeldJob } from '../domain/job.ts';
import type { ScanContext } from '../domain/policy.ts';
import { contentBlocked, type Refusal } from '../domain/refusal.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { IsWanted, Scanner } from '../scanner/scanner.ts';
import { judge, type Rules } from './judgement.ts';
import { timedScan } from './timed-scan.ts';

/**
 * Scans a request before it is forwarded. Every request body passes through here. Returns null when it may be
 * forwarded.
 */
export async function requestGate(
  scanner: Pick<Scanner, 'scan'>,
  metrics: Metrics,
  rules: Rules,
  job: HeldJob,
  isWanted: IsWanted,
  context: ScanContext,
  exchange: Exchange,
): Promise<Refusal | null> {
  const { outcome, seconds } = await timedScan(exchange, () => scanner.scan(job, isWanted));
  const { refusal, verdict, shadow, scanned, failOpen } = judge(outcome, rules, context, metrics, seconds);
  exchange.scanned = scanned;
  exchange.failOpen = failOpen;
  if (shadow !== null) exchange.shadow = shadow;
  if (verdict.category !== null) exchange.verdict = verdict;
  if (refusal !== null) return refusal;
  return verdict.action === 'block' ? contentBlocked(verdict.category!) : null;
}
