import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { failureReason, refusalForFailure, type Failure } from '../domain/failure.ts';
import type { Finding } from '../domain/finding.ts';
import { modelEndpointAt } from '../domain/model-endpoints.ts';
import type { Forbidden, Outcome, ScanJob } from '../domain/job.ts';
import { decide, type ScanContext } from '../domain/policy.ts';
import { responseBlocked, unreadableResponse, type Refusal } from '../domain/refusal.ts';
import type { Category, Verdict } from '../domain/verdict.ts';
import type { Exchange } from '../domain/exchange.ts';
import type { Metrics, ScanResult } from '../observe/metrics.ts';
import type { Scanner } from '../scanner/scanner.ts';
import type { Rules } from './judgement.ts';
import { streamKind, type StreamKind } from './stream/in-band.ts';
import type { Mode } from './stream/scanned.ts';

/**
 * Decides how a response is scanned (`planFor`) and what findings in it mean: pass, mask or refuse
 * (`createResponseJudge`). The counterpart for requests is request-gate.ts.
 */

export interface ResponseSettings {
  readonly mode: Mode;
  readonly bufferChars: number;
  readonly categories: readonly Category[];
  readonly maxBytes: number;
  readonly mask: boolean;
  readonly canaries: readonly string[];
}

export type ResponsePlan =
  | { readonly kind: 'pass' }
  /** The endpoint returns model output, but this response is in a format without text: image, audio, video, archive. */
  | { readonly kind: 'unread' }
  /** The response is held until it is complete, scanned, and then sent unchanged. */
  | { readonly kind: 'whole' }
  | { readonly kind: 'stream'; readonly stream: StreamKind };

const PASS: ResponsePlan = { kind: 'pass' };
const UNREAD: ResponsePlan = { kind: 'unread' };
const WHOLE: ResponsePlan = { kind: 'whole' };

const TEXT = /^(?:text\/|application\/[\w.+-]*(?:json|jsonl|jsonlines|xml)\b|$)/i;
/**
 * Every other type is scanned, whether or not it promises text: providers return the results of a batch as
 * `application/octet-stream`. The scanner decides by the bytes what is text.
 */
const MEDIA = /^(?:(?:image|audio|video|font)\/(?![\w.+-]*xml\b)|application\/(?:pdf|zip|gzip|x-tar)\b)/i;

/**
 * Chooses by endpoint, status and content type. The method and the request's `stream` flag are not considered: model
 * output is also returned on GET, for example when a stored response is fetched.
 */
export function planFor(path: string, answer: IncomingMessage): ResponsePlan {
  const status = answer.statusCode!;
  if (status < 200 || status > 299 || status === 204 || modelEndpointAt(path) === null) return PASS;
  const type = contentTypeOf(answer);
  if (MEDIA.test(type)) return UNREAD;
  const kind = streamKind(type);
  if (kind === null) return WHOLE;
  const coding = answer.headers['content-encoding'];
  // Decompression happens in the scanning thread and needs the complete body, so a compressed stream is held.
  if (coding !== undefined && coding.toLowerCase() !== 'identity') return WHOLE;
  return { kind: 'stream', stream: kind };
}

/**
 * With several Content-Type headers, or a comma-separated list in one, clients differ in which value they use.
 * The response counts as text if any of the values is a text type, and as media only if all of them are.
 */
function contentTypeOf({ headersDistinct }: IncomingMessage): string {
  const lines = headersDistinct['content-type'] ?? [''];
  const types = [...lines, ...lines.flatMap((line) => line.split(','))].map((type) => type.trim());
  return types.find((type) => TEXT.test(type)) ?? types.find((type) => !MEDIA.test(type)) ?? types[0]!;
}

/** The decision on a complete body: send it unchanged, send `bytes` instead, or answer with the refusal. */
export type WholeVerdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'masked'; readonly bytes: Uint8Array }
  | { readonly kind: 'refuse'; readonly refusal: Refusal };

export interface ResponseJudge {
  whole(bytes: Buffer, answer: IncomingMessage): Promise<WholeVerdict>;
  /** Takes the findings since the last call and decides on them together with all earlier ones. */
  findings(news: readonly Finding[]): Refusal | null;
  /**
   * True when the matched value is to be masked: masking is on, and the finding alone would block. Recorded as a block.
   */
  masks(finding: Finding): boolean;
  /** The refusal for a failed scan, or null when the failure mode lets the response pass unscanned. */
  failed(failure: Failure): Refusal | null;
}

export function createResponseJudge(
  scanner: Scanner,
  metrics: Metrics,
  rules: Rules,
  settings: ResponseSettings,
  context: ScanContext,
  exchange: Exchange,
  forbidden: Forbidden | null,
): ResponseJudge {
  let findingsSoFar: readonly Finding[] = [];

  const counts = ({ category }: Finding): boolean => settings.categories.includes(category);

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

  function recordShadow(would: Verdict): void {
    if (!isNews(would, lastShadow)) return;
    lastShadow = would;
    exchange.shadow = would;
    metrics.shadow(would.category!, would.action);
  }

  function findings(news: readonly Finding[]): Refusal | null {
    const counted = news.filter(counts);
    if (counted.length === 0) return null;
    findingsSoFar = strongest([...findingsSoFar, ...counted]);
    if (rules.shadow !== null) recordShadow(decide(rules.shadow, findingsSoFar, context));
    const verdict = decide(rules.policy, findingsSoFar, context);
    record(verdict);
    return verdict.action === 'block' ? responseBlocked() : null;
  }

  function masks(finding: Finding): boolean {
    if (!settings.mask || !counts(finding)) return false;
    const verdict = decide(rules.policy, [finding], context);
    if (verdict.action !== 'block') return false;
    record(verdict);
    return true;
  }

  function failed(failure: Failure): Refusal | null {
    // An unreadable request is refused in every mode, because its sender chose the bytes. The client does not choose
    // the bytes of a response, so an unreadable response follows the failure mode. Its refusal is not that of a failed
    // scanner, which SDKs answer with another call: that would be paid for again and end the same way.
    const refusal =
      failure.kind === 'unreadable'
        ? rules.failure.failure_mode === 'closed'
          ? unreadableResponse(failure.reason)
          : null
        : refusalForFailure(failure, rules.failure);
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
  async function scanned(job: ScanJob): Promise<{ outcome: Outcome; count: (result: ScanResult) => void }> {
    const startedAt = performance.now();
    const outcome = await retryWhileOverloaded(() => scanner.scan(job));
    const ms = performance.now() - startedAt;
    exchange.scanMs += ms;
    const count = (result: ScanResult): void => metrics.scan(result, ms / 1000);
    if (outcome.kind !== 'report') count(outcome.kind);
    return { outcome, count };
  }

  function onFailed(failure: Failure): WholeVerdict {
    const refusal = failed(failure);
    return refusal === null ? PASSED : { kind: 'refuse', refusal };
  }

  return {
    findings,
    masks,
    failed,
    async whole(bytes, answer) {
      const job: ScanJob = {
        bytes,
        wire: 'auto',
        direction: 'response',
        sensitive: true,
        path: context.path,
        contentType: contentTypeOf(answer),
        contentEncoding: answer.headers['content-encoding'] ?? '',
        forbidden,
      };
      const { outcome: first, count } = await scanned(job);
      if (first.kind !== 'report') return onFailed(first);
      for (const kind in first.unscannable) metrics.unscannable(kind, first.unscannable[kind]);
      const ids = [
        ...new Set(
          first.findings.filter((finding) => isValue(finding) && masks(finding)).map(({ signature }) => signature),
        ),
      ];
      if (ids.length === 0) {
        const refusal = findings(first.findings);
        count(refusal === null ? 'allow' : 'block');
        return refusal === null ? PASSED : { kind: 'refuse', refusal };
      }
      count('block');
      // The masked body is what the client would get, so it is scanned and decided on again.
      const { outcome: second, count: countSecond } = await scanned({ ...job, maskedSignatures: ids });
      if (second.kind !== 'report') return { kind: 'refuse', refusal: responseBlocked() };
      const refusal = second.masked == null ? responseBlocked() : findings(second.findings);
      countSecond(refusal === null ? 'allow' : 'block');
      return refusal === null ? { kind: 'masked', bytes: second.masked!.bytes } : { kind: 'refuse', refusal };
    },
  };
}

const PASSED: WholeVerdict = { kind: 'pass' };

/** Only sensitive data has a value to mask. Whether it can be replaced in this body is found out by the scanner. */
function isValue({ category }: Finding): boolean {
  return category === 'sensitive-data';
}

/**
 * Keeps the finding with the highest confidence per signature and role: text that is scanned twice must not raise the
 * score.
 */
function strongest(findings: readonly Finding[]): Finding[] {
  const best = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.signature} ${finding.role}`;
    const known = best.get(key);
    if (known === undefined || known.confidence < finding.confidence) best.set(key, finding);
  }
  return [...best.values()];
}

const PATIENCE_MS = 2000;
const RETRY_MS = 25;

/**
 * Retries an overloaded scan for up to two seconds. A new request would be turned away at once, but a response has
 * already been paid for and its client is waiting for it anyway.
 */
export async function retryWhileOverloaded<T extends { readonly kind: string }>(ask: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const outcome = await ask();
    if (outcome.kind !== 'overloaded' || performance.now() > until) return outcome;
    await sleep(RETRY_MS + Math.random() * RETRY_MS);
  }
}
