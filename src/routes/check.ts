import { checkRefusal, parseCheck, type Checked } from '../domain/check.ts';
import { failureReason, onFailure } from '../domain/failure.ts';
import type { Outcome } from '../domain/job.ts';
import { decide, wantsSensitive, type Scene } from '../domain/policy.ts';
import { refuse, type Refusal } from '../domain/refusal.ts';
import { CLEAN, type Verdict } from '../domain/verdict.ts';
import { readBody } from '../http/body.ts';
import { sendJson } from '../http/reply.ts';
import { refuseCall, type Call, type Route } from './call.ts';

/** POST /check: the verdict on a text, without any upstream. */
export const check: Route = (call) => {
  const { request, exchange, runtime } = call;
  const admission = runtime.authorize(request, 'check');
  if (admission.kind === 'refused') {
    refuseCall(call, admission.refusal);
    return;
  }
  const client = admission.key ?? runtime.clientAddress(request);
  void runtime.limitCheck(client).then((limit) => {
    if (limit.refusal !== null) {
      runtime.metrics.rateLimited('check');
      refuseCall(call, limit.refusal, limit.headers);
      return;
    }
    readBody(request, runtime.maxRequestBytes, (body) => {
      if (body.kind === 'client-left') return;
      if (body.kind === 'too-large') {
        refuseCall(call, refuse('payload_too_large'), limit.headers);
        return;
      }
      exchange.requestBytes = body.bytes?.length ?? 0;
      void answer(call, body.bytes ?? Buffer.alloc(0), limit.headers);
    });
  });
};

async function answer(call: Call, bytes: Buffer, headers: Readonly<Record<string, string>>): Promise<void> {
  const { request, response, exchange, runtime } = call;
  const startedAt = performance.now();
  const scanned: Checked =
    runtime.scanner === null
      ? { kind: 'checked', many: false, outcomes: [{ kind: 'error', reason: 'not-ready' }] }
      : await runtime.scanner.check({
          bytes,
          wire: 'generic',
          direction: 'request',
          sensitive: wantsSensitive(runtime.policy, runtime.shadow),
          path: '/check',
          contentType: request.headers['content-type'] ?? '',
          contentEncoding: request.headers['content-encoding'] ?? '',
        });
  exchange.scanMs = performance.now() - startedAt;
  const checked = allowed(scanned, bytes, call);
  if (response.destroyed) return;
  if (checked.kind === 'invalid') {
    refuseCall(call, checkRefusal(checked.fault), headers);
    return;
  }
  const verdicts: Verdict[] = [];
  for (const outcome of checked.outcomes) {
    const settled = settle(call, outcome);
    if ('status' in settled) {
      refuseCall(call, settled, headers);
      return;
    }
    verdicts.push(settled);
  }
  exchange.scanned = checked.outcomes.every((outcome) => outcome.kind === 'report');
  exchange.verdict = verdicts.reduce((a, b) => (b.confidence > a.confidence ? b : a), CLEAN);
  const results = verdicts.map(present);
  sendJson(response, 200, checked.many ? { results } : results[0], { ...headers, 'X-Request-ID': exchange.id });
}

/**
 * A scan that failed in open mode allows the text (4.2), but no thread may have seen whether there is one: what is wrong with
 * the body is wrong with it then, too (7.4). Compressed bodies are unpacked on the threads alone, and large ones parsed there:
 * this thread has sockets to serve.
 */
function allowed(checked: Checked, bytes: Buffer, { request, runtime }: Call): Checked {
  if (checked.kind === 'invalid' || checked.outcomes.length !== 1) return checked;
  const [outcome] = checked.outcomes;
  if (outcome!.kind === 'report' || onFailure(outcome!, runtime.failure) !== null) return checked;
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') return checked;
  if (bytes.length > MOST_PARSED) return checked;
  const asked = parseCheck(bytes);
  if (asked.kind === 'invalid') return asked;
  return asked.kind === 'texts' ? { kind: 'checked', many: true, outcomes: asked.texts.map(() => outcome!) } : checked;
}

/** Some five milliseconds. */
const MOST_PARSED = 1024 * 1024;

/** The verdict, or the refusal that stands for it. In open mode a failed scan allows the text (4.2). */
function settle(call: Call, outcome: Outcome): Verdict | Refusal {
  const { runtime, exchange } = call;
  const seconds = exchange.scanMs / 1000;
  if (outcome.kind !== 'report') {
    runtime.metrics.scan(outcome.kind, seconds);
    const refusal = onFailure(outcome, runtime.failure);
    if (refusal === null) runtime.metrics.failedOpen(failureReason(outcome));
    return refusal ?? CLEAN;
  }
  const scene: Scene = {
    direction: 'request',
    upstream: null,
    path: '/check',
    client: runtime.clientAddress(call.request),
    now: Date.now(),
  };
  const verdict = decide(runtime.policy, outcome.findings, scene);
  if (verdict.category !== null) runtime.metrics.detection(verdict.category, verdict.action);
  runtime.metrics.scan(verdict.action === 'block' ? 'block' : 'allow', seconds);
  return verdict;
}

function present({ action, category, signatureName, confidence }: Verdict): object {
  return { action, category, signature_name: signatureName, confidence };
}
