import type { Delivery, Handover } from '../proxy/delivery.ts';
import { hold } from '../proxy/held.ts';
import { relay } from '../proxy/relay.ts';
import { createResponseJudge, type AnswerScan } from '../proxy/response-gate.ts';
import { responsePlanFor } from '../proxy/response-plan.ts';
import { handOverStream } from '../proxy/stream/handover.ts';
import { isWaiting } from './call.ts';
import { rulesOf, scanContextOf, type ProxiedCall } from './proxied-call.ts';

/**
 * Sends the upstream's answer to the client: relayed, held as a whole, or scanned as a stream. Null when the answer is
 * not one that can be sent.
 */
export function handOver(from: ProxiedCall, delivery: Delivery): Handover | null {
  const { call, path, scansAnswer } = from;
  const { runtime, exchange } = call;
  const { scanner, response: settings, metrics } = runtime;
  if (!scansAnswer || scanner === null || settings === null) return relay(delivery);
  const plan = responsePlanFor(delivery.answer);
  if (plan.kind === 'unread') metrics.unscannable('media-answer');
  if (plan.kind === 'pass' || plan.kind === 'unread') return relay(delivery);
  const { canaries } = settings;
  const { secrets = [] } = call;
  const forbidden = canaries.length + secrets.length === 0 ? null : { canaries, secrets };
  const scan: AnswerScan = {
    scanner,
    settings,
    path,
    forbidden,
    rules: rulesOf(from),
    context: scanContextOf(from, 'response'),
    exchange,
    metrics,
    isWanted: isWaiting(call),
  };
  const judge = createResponseJudge(scan);
  return plan.kind === 'whole'
    ? hold(delivery, judge, settings.maxBytes)
    : handOverStream(delivery, plan.stream, scan, judge);
}
