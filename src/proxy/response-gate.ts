import type { IncomingMessage } from 'node:http';
import type { Bytes } from '../domain/bytes.ts';
import { failureReason, refusalForFailure, type Failure } from '../domain/failure.ts';
import { keyOfFinding, type Finding } from '../domain/finding.ts';
import type { Forbidden, HeldJob, Outcome } from '../domain/job.ts';
import { decide, type ScanContext } from '../domain/policy.ts';
import { responseBlocked, unreadableResponse, type Refusal } from '../domain/refusal.ts';
import type { Category, Verdict } from '../domain/verdict.ts';
import type { Exchange } from '../domain/exchange.ts';
import type { Metrics, ScanResult } from '../observe/metrics.ts';
import type { IsWanted, Scanner } from '../scanner/scanner.ts';
import type { Rules } from './judgement.ts';
import { contentTypeOf } from './response-plan.ts';
import { retryWhileOverloaded } from './retry-overloaded.ts';
import type { Mode } from './stream/pace.ts';
import { timedScan } from './timed-scan.ts';

/**
 * Decides what findings in a response mean: pass, mask or refuse. How it is scanned is decided in response-plan.ts. The
 * counterpart for requests is request-gate.ts.
 */

export interface ResponseSettings {
  readonly mode: Mode;
  readonly bufferChars: number;
  readonly categories: readonly Category[];
  readonly maxBytes: number;
  readonly mask: boolean;
  readonly canaries: readonly string[];
}

/** The decision on a complete body: send it unchanged, send `bytes` instead, or answer with the refusal. */
export type BodyVerdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'masked'; readonly bytes: Uint8Array }
  | { readonly kind: 'refuse'; readonly refusal: Refusal };

export interface ResponseJudge {
  judgeBody(bytes: Bytes, answer: IncomingMessage): Promise<BodyVerdict>;
  /** Takes the findings since the last call and decides on them together with all earlier ones. */
  judgeFindings(newFindings: readonly Finding[]): Refusal | null;
  /**
   * True when the matched value is to be masked: masking is on, and the finding alone would block. Recorded as a block.
   */
  shouldMask(finding: Finding): boolean;
  /** The refusal for a failed scan, or null when the failure mode lets the response pass unscanned. */
  onFailedScan(failure: Failure): Refusal | null;
}

/** How the answer to one call is scanned, and by which rules it is judged. */
export interface AnswerScan {
  readonly scanner: Scanner;
  readonly settings: ResponseSettings;
  readonly path: string;
  readonly forbidden: Forbidden | null;
  readonly rules: Rules;
  readonly context: ScanContext;
  readonly exchange: Exchange;
  readonly metrics: Metrics;
  /** Whether the client still waits: nobody is helped by a verdict on what nobody reads. */
  readonly isWanted: IsWanted;
}

export function createResponseJudge(scan: AnswerScan): ResponseJudge {
  const { scanner, settings, path, forbidden, rules, context, exchange, metrics, isWanted } = scan;
  let findingsSoFar: readonly Finding[] = [];

  const isCounted = ({ category }: Finding): boolean => settings.categories.includes(category);

  /** A stream is decided on again with each new finding, so a repeated verdict must not be counted again. */
  function isNews(verdict: Verdict, before: Verdict | null): boolean {
    return verdict.category !== null && (verdict.category !== before?.category || verdict.action !== before.action);
  }
  let lastVerdict: Verdict | null = null;
  let lastShadow: Verdict | null = null;

  function record(verdict: Verdict): void {
    if (!isNews(verdict, lastVerdict)) return;
    lastVerdict = verdict;
    exchange.verdict = verdict;
    metrics.detection(verdict.category!, verdict.action);
  }

  function recordShadow(verdict: Verdict): void {
    if (!isNews(verdict, lastShadow)) return;
    lastShadow = verdict;
    exchange.shadow = verdict;
    metrics.shadow(verdict.category!, verdict.action);
  }

  function judgeFindings(newFindings: readonly Finding[]): Refusal | null {
    const counted = newFindings.filter(isCounted);
    if (counted.length === 0) return null;
    findingsSoFar = strongestPerSignature([...findingsSoFar, ...counted]);
    if (rules.shadow !== null) recordShadow(decide(rules.shadow, findingsSoFar, context));
    const verdict = decide(rules.policy, findingsSoFar, context);
    record(verdict);
    return verdict.action === 'block' ? responseBlocked() : null;
  }

  function shouldMask(finding: Finding): boolean {
    if (!settings.mask || !hasMaskableValue(finding) || !isCounted(finding)) return false;
    const verdict = decide(rules.policy, [finding], context);
    if (verdict.action !== 'block') return false;
    record(verdict);
    return true;
  }

  function refusalOf(failure: Failure): Refusal | null {
    // An unreadable request is refused in every mode, because its sender chose the bytes. The client does not choose
    // the bytes of a response, so an unreadable response follows the failure mode. Its refusal is not that of a failed
    // scanner, which SDKs answer with another call: that would be paid for again and end the same way. The same holds
    // for a response that a thread died of.
    const isOfItsBytes = failure.kind === 'unreadable' || failure.kind === 'error';
    if (isOfItsBytes && rules.failure.failure_mode === 'open') return null;
    return failure.kind === 'unreadable'
      ? unreadableResponse(failure.reason)
      : refusalForFailure(failure, rules.failure);
  }

  function onFailedScan(failure: Failure): Refusal | null {
    const refusal = refusalOf(failure);
    if (failure.kind === 'unreadable') metrics.unscannable(failure.reason);
    if (refusal === null) {
      exchange.failOpen ??= failureReason(failure);
      metrics.failedOpen(failureReason(failure));
    }
    return refusal;
  }

  /**
   * Failures are counted here. The result of a report (allow or block) is known only later: the caller passes it to
   * `count`.
   */
  async function scanBody(job: HeldJob): Promise<{ outcome: Outcome; count: (result: ScanResult) => void }> {
    const ask = (): Promise<Outcome> => retryWhileOverloaded(() => scanner.scan(job, isWanted), isWanted);
    const { outcome, seconds } = await timedScan(exchange, ask);
    const count = (result: ScanResult): void => metrics.scan(result, seconds);
    if (outcome.kind !== 'report') count(outcome.kind);
    return { outcome, count };
  }

  function verdictOfFailure(failure: Failure): BodyVerdict {
    const refusal = onFailedScan(failure);
    return refusal === null ? PASS_BODY : { kind: 'refuse', refusal };
  }

  return {
    judgeFindings,
    shouldMask,
    onFailedScan,
    async judgeBody(bytes, answer) {
      const job: HeldJob = {
        bytes,
        wire: 'auto',
        direction: 'response',
        sensitive: true,
        path,
        contentType: contentTypeOf(answer),
        contentEncoding: answer.headers['content-encoding'] ?? '',
        maxBytes: settings.maxBytes,
        forbidden,
      };
      const { outcome: first, count } = await scanBody(job);
      if (first.kind !== 'report') return verdictOfFailure(first);
      for (const kind in first.unscannable) metrics.unscannable(kind, first.unscannable[kind]);
      const ids = [...new Set(first.findings.filter(shouldMask).map(({ signature }) => signature))];
      if (ids.length === 0) {
        const refusal = judgeFindings(first.findings);
        count(refusal === null ? (first.unread === undefined ? 'allow' : 'unreadable') : 'block');
        if (refusal !== null) return { kind: 'refuse', refusal };
        return first.unread === undefined ? PASS_BODY : verdictOfFailure({ kind: 'unreadable', reason: first.unread });
      }
      count('block');
      // The masked body is what the client would get, so it is scanned and decided on again.
      const { outcome: second, count: countSecond } = await scanBody({ ...job, maskedSignatures: ids });
      if (second.kind !== 'report') return { kind: 'refuse', refusal: responseBlocked() };
      const refusal = second.masked == null ? responseBlocked() : judgeFindings(second.findings);
      countSecond(refusal === null ? 'allow' : 'block');
      return refusal === null ? { kind: 'masked', bytes: second.masked!.bytes } : { kind: 'refuse', refusal };
    },
  };
}

const PASS_BODY: BodyVerdict = { kind: 'pass' };

/** Only sensitive data has a value to mask. Whether it can be replaced in this body is found out by the scanner. */
function hasMaskableValue({ category }: Finding): boolean {
  return category === 'sensitive-data';
}

/**
 * Keeps the finding with the highest confidence per signature and role: text that is scanned twice must not raise the
 * score.
 */
function strongestPerSignature(findings: readonly Finding[]): Finding[] {
  const best = new Map<string, Finding>();
  for (const finding of findings) {
    const key = keyOfFinding(finding);
    const known = best.get(key);
    if (known === undefined || known.confidence < finding.confidence) best.set(key, finding);
  }
  return [...best.values()];
}
