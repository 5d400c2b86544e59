import { countedAs } from '../domain/address.ts';
import type { Bytes } from '../domain/bytes.ts';
import { checkAnswer, checkRefusal, parseCheck, type CheckOutcome } from '../domain/check.ts';
import { refusalForFailure } from '../domain/failure.ts';
import { isStronger, scansRequestsForSecrets, type ScanContext } from '../domain/policy.ts';
import { refuse } from '../domain/refusal.ts';
import { CLEAN, type Verdict } from '../domain/verdict.ts';
import { readBody } from '../http/body.ts';
import { sendText } from '../http/reply.ts';
import { unpack } from '../http/unpack.ts';
import { judge, type Rules } from '../proxy/judgement.ts';
import { timedScan } from '../proxy/timed-scan.ts';
import { clientOf, isOver, isWaiting, later, refuseCall, type Call, type Route } from './call.ts';

/** POST /check: the verdict on a text, without any upstream. */
export const check: Route = (call) => {
  const { request, exchange, runtime } = call;
  const admission = runtime.authorize(request, 'check');
  if (admission.kind === 'refused') {
    refuseCall(call, admission.refusal);
    return;
  }
  const client = admission.key ?? countedAs(clientOf(call));
  const limited = runtime.limitCheck(client).then((limit) => {
    if (isOver(call)) return;
    if (limit.refusal !== null) {
      runtime.metrics.rateLimited('check');
      refuseCall(call, limit.refusal, limit.headers);
      return;
    }
    readBody(request, runtime.maxRequestBytes, (body) => {
      if (body.kind === 'client-left' || isOver(call)) return;
      if (body.kind === 'refused') {
        refuseCall(call, refuse(body.type), limit.headers);
        return;
      }
      exchange.requestBytes = body.bytes?.length ?? 0;
      later(call, answer(call, body.bytes ?? Buffer.alloc(0), limit.headers));
    });
  });
  later(call, limited);
};

async function answer(call: Call, bytes: Bytes, headers: Readonly<Record<string, string>>): Promise<void> {
  const { response, exchange, runtime } = call;
  const { outcome, seconds } = await timedScan(exchange, () => scan(call, bytes));
  const checked = isOver(call) ? outcome : await parsedAnyway(outcome, bytes, call);
  if (checked.kind === 'invalid') {
    if (!isOver(call)) refuseCall(call, checkRefusal(checked.fault), headers);
    return;
  }
  const { outcomes } = checked;
  const rules: Rules = { policy: runtime.policy, shadow: runtime.shadow, failure: runtime.failure };
  const context: ScanContext = {
    direction: 'request',
    upstream: null,
    path: '/check',
    client: () => clientOf(call),
    now: Date.now(),
  };
  // The duration of each text in a batch is not known, so each is recorded with the average.
  const secondsEach = seconds / outcomes.length;
  const judgements = outcomes.map((each) => judge(each, rules, context, runtime.metrics, secondsEach));
  // A scan counts, whether its client has waited for it or not.
  if (isOver(call)) return;
  exchange.scanned = judgements.every(({ scanned }) => scanned);
  exchange.failOpen = judgements.find(({ failOpen }) => failOpen !== null)?.failOpen ?? null;
  const refusal = judgements.find((each) => each.refusal !== null)?.refusal ?? null;
  if (refusal !== null) {
    refuseCall(call, refusal, headers);
    return;
  }
  const verdicts = judgements.map(({ verdict }) => verdict);
  exchange.verdict = strictest(verdicts);
  const shadows = judgements.flatMap(({ shadow }) => shadow ?? []);
  if (shadows.length > 0) exchange.shadow = strictest(shadows);
  const told = checkAnswer(verdicts, checked.isList);
  sendText(response, 200, 'application/json', told, { ...headers, 'X-Request-ID': exchange.id });
}

/**
 * A scan may have failed before the body was parsed, and an invalid body must be refused even then: in open mode it would
 * be allowed, and in closed mode its client would send it again. So the body is parsed here in that case. Large bodies
 * are not, because the main thread has sockets to serve. Neither are those that are refused because there is too much
 * work or because they are slow to read: their sender could choose that. Their outcome stays as it is.
 */
async function parsedAnyway(checked: CheckOutcome, bytes: Bytes, { request, runtime }: Call): Promise<CheckOutcome> {
  if (checked.kind === 'invalid' || checked.outcomes.length !== 1) return checked;
  const [outcome] = checked.outcomes;
  if (outcome!.kind === 'report' || outcome!.kind === 'unreadable') return checked;
  if (outcome!.kind !== 'error' && refusalForFailure(outcome!, runtime.failure) !== null) return checked;
  const plain = await unpack(bytes, request.headers['content-encoding'] ?? '', MOST_PARSED);
  if (plain === null) return checked;
  if (typeof plain === 'string')
    return { kind: 'checked', isList: false, outcomes: [{ kind: 'unreadable', reason: plain }] };
  const asked = parseCheck(plain);
  if (asked.kind === 'invalid') return asked;
  return asked.kind === 'texts'
    ? { kind: 'checked', isList: true, outcomes: asked.texts.map(() => outcome!) }
    : checked;
}

/**
 * The largest body parsed on the main thread. That takes some five milliseconds, and some fifty when it is all brackets.
 */
const MOST_PARSED = 1024 * 1024;

async function scan(call: Call, bytes: Bytes): Promise<CheckOutcome> {
  const { request, runtime } = call;
  if (runtime.scanner === null)
    return { kind: 'checked', isList: false, outcomes: [{ kind: 'error', reason: 'not-ready' }] };
  return runtime.scanner.check(
    {
      bytes,
      wire: 'generic',
      direction: 'request',
      sensitive: scansRequestsForSecrets(runtime.policy, runtime.shadow),
      path: '/check',
      contentType: request.headers['content-type'] ?? '',
      contentEncoding: request.headers['content-encoding'] ?? '',
      maxBytes: runtime.maxRequestBytes,
    },
    isWaiting(call),
  );
}

/** The verdict for the log, which has one line for a whole batch. */
function strictest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((a, b) => (isStronger(b, a) ? b : a), CLEAN);
}
