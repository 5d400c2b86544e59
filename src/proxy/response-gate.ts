import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { failureReason, onFailure, type Failure } from '../domain/failure.ts';
import type { Finding } from '../domain/finding.ts';
import { answerAt } from '../domain/inference.ts';
import type { Forbidden, Outcome, ScanJob } from '../domain/job.ts';
import { decide, type Scene } from '../domain/policy.ts';
import { refuse, responseBlocked, type Refusal } from '../domain/refusal.ts';
import type { Category, Verdict } from '../domain/verdict.ts';
import type { Exchange } from '../domain/exchange.ts';
import type { Metrics, ScanResult } from '../observe/metrics.ts';
import type { Scanner } from '../scanner/scanner.ts';
import type { Rules } from './judgement.ts';
import { streamKind, type StreamKind } from './stream/in-band.ts';
import type { Mode } from './stream/scanned.ts';

/** Where a response may be refused: what is scanned, how, and what a finding means. */

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
  /** An answer in which words were to be expected, in a format that holds none: pictures, sound, archives. */
  | { readonly kind: 'unread' }
  /** Held until it is complete, judged, then sent as it came. */
  | { readonly kind: 'whole' }
  | { readonly kind: 'stream'; readonly stream: StreamKind };

const PASS: ResponsePlan = { kind: 'pass' };
const UNREAD: ResponsePlan = { kind: 'unread' };
const WHOLE: ResponsePlan = { kind: 'whole' };

const TEXT = /^(?:text\/|application\/[\w.+-]*(?:json|jsonl|jsonlines|xml)\b|$)/i;
/**
 * Whatever is not named here is read, whether or not its type promises text: providers send the results of a batch as
 * `application/octet-stream`, and the scanner tells by the bytes.
 */
const MEDIA = /^(?:(?:image|audio|video|font)\/(?![\w.+-]*xml\b)|application\/(?:pdf|zip|gzip|x-tar)\b)/i;

/** By endpoint and kind of content, never by the method or by what the request asked for: answers come back on GET too. */
export function planFor(path: string, answer: IncomingMessage): ResponsePlan {
  const status = answer.statusCode!;
  if (status < 200 || status > 299 || status === 204 || answerAt(path) === null) return PASS;
  const type = contentTypeOf(answer);
  if (MEDIA.test(type)) return UNREAD;
  const kind = streamKind(type);
  if (kind === null) return WHOLE;
  const coding = answer.headers['content-encoding'];
  // A compressed stream is decoded where it is scanned, and that can be done only once it is whole.
  if (coding !== undefined && coding.toLowerCase() !== 'identity') return WHOLE;
  return { kind: 'stream', stream: kind };
}

/** Of several lines, or several in one, readers take the one they like: it is text if any of them says so, and media only if all do. */
function contentTypeOf({ headersDistinct }: IncomingMessage): string {
  const lines = headersDistinct['content-type'] ?? [''];
  const types = [...lines, ...lines.flatMap((line) => line.split(','))].map((type) => type.trim());
  return types.find((type) => TEXT.test(type)) ?? types.find((type) => !MEDIA.test(type)) ?? types[0]!;
}

/** What becomes of a whole body. */
export type WholeVerdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'masked'; readonly bytes: Uint8Array }
  | { readonly kind: 'refuse'; readonly refusal: Refusal };

export interface ResponseJudge {
  whole(bytes: Buffer, answer: IncomingMessage): Promise<WholeVerdict>;
  /** What is new since the last time; it is judged together with all that was found before. */
  findings(news: readonly Finding[]): Refusal | null;
  /** Whether a value is replaced: where it would be reason enough to block. Counted like a block. */
  masks(finding: Finding): boolean;
  failed(failure: Failure): Refusal | null;
}

export function createResponseJudge(
  scanner: Scanner,
  metrics: Metrics,
  rules: Rules,
  settings: ResponseSettings,
  scene: Scene,
  exchange: Exchange,
  forbidden: Forbidden | null,
): ResponseJudge {
  let known: readonly Finding[] = [];

  const counts = ({ category }: Finding): boolean => settings.categories.includes(category);

  /** A stream is judged again with each new finding; one verdict is counted once. */
  function isNews(verdict: Verdict, before: Verdict | null): boolean {
    return verdict.category !== null && (verdict.category !== before?.category || verdict.action !== before.action);
  }
  let said: Verdict | null = null;
  let shadowed: Verdict | null = null;

  function record(verdict: Verdict): void {
    if (!isNews(verdict, said)) return;
    said = verdict;
    exchange.verdict = verdict;
    metrics.detection(verdict.category!, verdict.action);
  }

  function recordShadow(would: Verdict): void {
    if (!isNews(would, shadowed)) return;
    shadowed = would;
    exchange.shadow = would;
    metrics.shadow(would.category!, would.action);
  }

  function findings(news: readonly Finding[]): Refusal | null {
    const counted = news.filter(counts);
    if (counted.length === 0) return null;
    known = strongest([...known, ...counted]);
    if (rules.shadow !== null) recordShadow(decide(rules.shadow, known, scene));
    const verdict = decide(rules.policy, known, scene);
    record(verdict);
    return verdict.action === 'block' ? responseBlocked() : null;
  }

  function masks(finding: Finding): boolean {
    if (!settings.mask || !counts(finding)) return false;
    const verdict = decide(rules.policy, [finding], scene);
    if (verdict.action !== 'block') return false;
    record(verdict);
    return true;
  }

  function failed(failure: Failure): Refusal | null {
    // What an upstream sends is not the client's doing: its unreadable bodies follow the failure mode like our own failures.
    const refusal =
      failure.kind === 'unreadable'
        ? rules.failure.failure_mode === 'closed'
          ? refuse('scanner_error')
          : null
        : onFailure(failure, rules.failure);
    if (failure.kind === 'unreadable') metrics.unscannable(failure.reason);
    if (refusal === null) metrics.failedOpen(failureReason(failure));
    return refusal;
  }

  /** What a report comes to is known once it was judged, and counted by whoever judges it. */
  async function scanned(job: ScanJob): Promise<{ outcome: Outcome; count: (result: ScanResult) => void }> {
    const startedAt = performance.now();
    const outcome = await patiently(() => scanner.scan(job));
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
        path: scene.path,
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
      // What is left after the values were replaced is judged anew: it is what the client would get.
      const { outcome: second, count: countSecond } = await scanned({ ...job, mask: ids });
      if (second.kind !== 'report') return { kind: 'refuse', refusal: responseBlocked() };
      const refusal = second.masked == null ? responseBlocked() : findings(second.findings);
      countSecond(refusal === null ? 'allow' : 'block');
      return refusal === null ? { kind: 'masked', bytes: second.masked!.bytes } : { kind: 'refuse', refusal };
    },
  };
}

const PASSED: WholeVerdict = { kind: 'pass' };

/** Only these name a value; whether it can be replaced where it stands, the scanner tries. */
function isValue({ category }: Finding): boolean {
  return category === 'sensitive-data';
}

/** One for each signature and role, the surest: a text that is read again adds nothing to the score. */
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
 * An answer is already paid for, and its reader waits anyway: when the scanner is busy it waits a little longer, where a new
 * request would be turned away.
 */
export async function patiently<T extends { readonly kind: string }>(ask: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const outcome = await ask();
    if (outcome.kind !== 'overloaded' || performance.now() > until) return outcome;
    await sleep(RETRY_MS + Math.random() * RETRY_MS);
  }
}
