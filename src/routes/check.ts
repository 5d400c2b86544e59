import { checkRefusal, parseCheck, type Checked } from '../domain/check.ts';
import { failureReason, onFailure, readWhole } from '../domain/failure.ts';
import type { Outcome } from '../domain/job.ts';
import { decide, stronger, wantsSensitive, type Scene } from '../domain/policy.ts';
import { refuse, type Refusal } from '../domain/refusal.ts';
import { CLEAN, milder, type Verdict } from '../domain/verdict.ts';
import { readBody } from '../http/body.ts';
import { sendJson } from '../http/reply.ts';
import { unpack } from '../http/unpack.ts';
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
      if (body.kind === 'refused') {
        refuseCall(call, refuse(body.type), limit.headers);
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
  const checked = await allowed(scanned, bytes, call);
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
  exchange.scanned = checked.outcomes.every((each) => each.kind === 'report' && readWhole(each.unscannable));
  exchange.verdict = verdicts.reduce((a, b) => (stronger(b, a) ? b : a), CLEAN);
  const results = verdicts.map(present);
  sendJson(response, 200, checked.many ? { results } : results[0], { ...headers, 'X-Request-ID': exchange.id });
}

/**
 * A scan that failed in open mode allows the text (4.2), but no thread may have seen whether there is one: what is wrong with
 * the body is wrong with it then, too (7.4). Large bodies are parsed on the threads alone: this one has sockets to serve.
 */
async function allowed(checked: Checked, bytes: Buffer, { request, runtime }: Call): Promise<Checked> {
  if (checked.kind === 'invalid' || checked.outcomes.length !== 1) return checked;
  const [outcome] = checked.outcomes;
  if (outcome!.kind === 'report' || onFailure(outcome!, runtime.failure) !== null) return checked;
  const plain = await unpack(bytes, request.headers['content-encoding'] ?? '', MOST_PARSED);
  if (plain === null) return checked;
  if (typeof plain === 'string')
    return { kind: 'checked', many: false, outcomes: [{ kind: 'unreadable', reason: plain }] };
  const asked = parseCheck(plain);
  if (asked.kind === 'invalid') return asked;
  return asked.kind === 'texts' ? { kind: 'checked', many: true, outcomes: asked.texts.map(() => outcome!) } : checked;
}

/** Some five milliseconds. */
const MOST_PARSED = 1024 * 1024;

/** The verdict, or the refusal that stands for it. In open mode a failed scan allows the text (4.2). */
function settle(call: Call, outcome: Outcome): Verdict | Refusal {
  const { runtime, exchange } = call;
  const { metrics } = runtime;
  const seconds = exchange.scanMs / 1000;
  if (outcome.kind !== 'report') {
    metrics.scan(outcome.kind, seconds);
    if (outcome.kind === 'unreadable') metrics.unscannable(outcome.reason);
    const refusal = onFailure(outcome, runtime.failure);
    if (refusal === null) metrics.failedOpen(failureReason(outcome));
    return refusal ?? CLEAN;
  }
  for (const kind in outcome.unscannable) metrics.unscannable(kind, outcome.unscannable[kind]);
  const scene: Scene = {
    direction: 'request',
    upstream: null,
    path: '/check',
    client: runtime.clientAddress(call.request),
    now: Date.now(),
  };
  const verdict = decide(runtime.policy, outcome.findings, scene);
  if (verdict.category !== null) metrics.detection(verdict.category, verdict.action);
  if (runtime.shadow !== null && outcome.findings.length > 0)
    countShadow(call, decide(runtime.shadow, outcome.findings, scene));
  metrics.scan(verdict.action === 'block' ? 'block' : 'allow', seconds);
  return verdict;
}

/** Of a batch the log line names the strictest, as it does of what is in force. */
function countShadow({ runtime, exchange }: Call, { action, category }: Verdict): void {
  if (category !== null) runtime.metrics.shadow(category, action);
  if (exchange.shadow === null || milder(exchange.shadow.action, action) !== action)
    exchange.shadow = { action, category };
}

function present({ action, category, signatureName, confidence }: Verdict): object {
  return { action, category, signature_name: signatureName, confidence };
}
