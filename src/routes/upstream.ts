import { modelEndpointAt } from '../domain/model-endpoints.ts';
import type { Direction } from '../domain/job.ts';
import type { ScanContext } from '../domain/policy.ts';
import { refuse, type Refusal } from '../domain/refusal.ts';
import { readBody } from '../http/body.ts';
import { askForPlain, frame, requestHeaders } from '../http/headers.ts';
import { answerId } from '../http/identity.ts';
import type { Phase } from '../proxy/deadline.ts';
import type { UpstreamFault, UpstreamCall } from '../proxy/forward.ts';
import type { Delivery, Handover } from '../proxy/delivery.ts';
import { hold } from '../proxy/held.ts';
import { relay } from '../proxy/relay.ts';
import type { Rules } from '../proxy/judgement.ts';
import { requestGate } from '../proxy/request-gate.ts';
import { createResponseJudge } from '../proxy/response-gate.ts';
import { responsePlanFor } from '../proxy/response-plan.ts';
import { handOverStream } from '../proxy/stream/handover.ts';
import { endpointPath, upstreamPath, type Upstream } from '../proxy/upstreams.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { endAfterOwnFault, later, refuseCall, type Call } from './call.ts';

/**
 * The proxy route. `proxied` reads the request body, has it scanned, sends it to the upstream, and returns the response
 * through the response gate, or past it if the response is not scanned.
 */

const FAULTS = {
  unreachable: refuse('upstream_unreachable'),
  timeout: refuse('upstream_timeout'),
  closed: refuse('upstream_closed'),
  invalid: refuse('upstream_invalid'),
} satisfies Record<UpstreamFault, Refusal>;

export function proxied(call: Call, upstream: Upstream): void {
  const { request, exchange, runtime } = call;
  exchange.upstream = upstream.name;
  runtime.metrics.opened(upstream.name);
  const leave = (): void => runtime.metrics.closed(upstream.name);
  call.onClose = leave;

  readBody(request, runtime.maxRequestBytes, (body) => {
    if (body.kind === 'client-left') return;
    if (body.kind === 'refused') {
      refuseCall(call, refuse(body.type));
      return;
    }
    const { bytes } = body;
    exchange.requestBytes = bytes?.length ?? 0;
    if (runtime.scanner === null) {
      send(call, upstream, bytes);
      return;
    }
    if (bytes === null || bytes.length === 0) {
      // Without a body there is no text to scan, so the request counts as scanned.
      exchange.scanned = true;
      send(call, upstream, bytes);
      return;
    }
    const judged = judge(call, upstream, bytes).then((refusal) => {
      if (call.response.destroyed) return;
      if (refusal === null) send(call, upstream, bytes);
      else refuseCall(call, refusal);
    });
    later(call, judged);
  });
}

function judge(call: Call, upstream: Upstream, bytes: Buffer): Promise<Refusal | null> {
  const { request, target, exchange, runtime } = call;
  const { headers } = request;
  const path = endpointPath(upstream, target.rest);
  const collectSecrets = scansAnswerAt(path, call);
  return requestGate(
    collectSecrets ? remembering(runtime.scanner!, call) : runtime.scanner!,
    runtime.metrics,
    rulesOf(call, upstream),
    {
      bytes,
      wire: upstream.wire,
      direction: 'request',
      sensitive: upstream.scansSecrets,
      path,
      contentType: headers['content-type'] ?? '',
      contentEncoding: headers['content-encoding'] ?? '',
      ...(collectSecrets ? { collectSecrets } : {}),
    },
    scanContextOf(call, upstream, 'request'),
    exchange,
  );
}

/**
 * Wraps the scanner to keep the secrets found in the request's instructions: the response is checked for them later.
 */
function remembering(scanner: Scanner, call: Call): Pick<Scanner, 'scan'> {
  return {
    async scan(job) {
      const outcome = await scanner.scan(job);
      if (outcome.kind === 'report' && outcome.secrets !== undefined) call.secrets = outcome.secrets;
      return outcome;
    },
  };
}

function scansAnswerAt(path: string, { runtime }: Call): boolean {
  return runtime.scanner !== null && runtime.response !== null && modelEndpointAt(path) !== null;
}

function send(call: Call, upstream: Upstream, body: Buffer | null): void {
  const { request, response, target, exchange, runtime } = call;
  const { metrics } = runtime;
  const sentAt = performance.now();
  let handover: Handover | null = null;

  const scansAnswer = scansAnswerAt(endpointPath(upstream, target.rest), call);
  const method = request.method!;
  const given = requestHeaders(upstream.host, request.rawHeaders, request.headers.connection);
  const headers = scansAnswer ? askForPlain(given) : given;
  frame(headers, method, body);

  const faulted = (fault: string): void => {
    exchange.upstreamFault = fault;
    metrics.upstreamFault(upstream.name, fault);
  };
  const overdue = (phase: Phase): void => {
    // A client that reads nothing is counted there as well, but it is no fault of the upstream.
    if (phase === 'stalled') metrics.upstreamFault(upstream.name, 'stalled-timeout');
    else faulted(`${phase}-timeout`);
    upstreamCall.cancel();
    if (phase === 'stalled') {
      exchange.ending = 'cut';
      response.destroy();
    } else if (handover !== null) {
      handover.cut(FAULTS.timeout);
    } else {
      refuseCall(call, FAULTS.timeout);
    }
  };
  const deadline = runtime.clock.open(upstream.totalMs, overdue);

  metrics.added(upstream.name, (sentAt - exchange.startedAt) / 1000);
  const upstreamCall: UpstreamCall = upstream.forwarder.send(
    { method, path: upstreamPath(upstream, target.rest, target.query), headers, body },
    deadline,
    {
      onResponse(incoming) {
        exchange.upstreamMs = performance.now() - sentAt;
        metrics.firstByte(upstream.name, exchange.upstreamMs / 1000);
        // Adopt the upstream's request id now, not only when the head is relayed: if the response is refused, the
        // client should be able to quote this id, too.
        exchange.id = answerId(incoming) ?? exchange.id;
        const delivery: Delivery = {
          upstream,
          answer: incoming,
          client: response,
          exchange,
          deadline,
          writeStallMs: runtime.writeStallMs,
          countUpstreamBreak() {
            faulted('broken-body');
            metrics.streamAborted(upstream.name, 'upstream');
          },
          refuse: (refusal) => refuseCall(call, refusal),
          cancel: () => upstreamCall.cancel(),
          onOwnFault(error) {
            upstreamCall.cancel();
            endAfterOwnFault(call, error);
          },
        };
        handover = scansAnswer ? scanned(call, delivery) : relay(delivery);
        if (handover === null) {
          faulted('invalid');
          upstreamCall.cancel();
          refuseCall(call, FAULTS.invalid);
        }
      },
      onFailure(fault, code) {
        exchange.errorCode = code;
        faulted(fault);
        refuseCall(call, FAULTS[fault]);
      },
      onRetry() {
        exchange.retried = true;
      },
    },
  );

  // These functions are assigned to variables first. V8 takes a function literal that is assigned directly to a
  // property for a long-lived method and allocates it in old space, where it keeps the whole call alive until the next
  // full garbage collection.
  const hardStop = (): void => {
    upstreamCall.cancel();
    if (handover === null) {
      refuseCall(call, refuse('shutting_down'));
      return;
    }
    metrics.streamAborted(upstream.name, 'shutdown');
    handover.cut(refuse('shutting_down'));
  };
  const leave = (): void => {
    deadline.done();
    metrics.closed(upstream.name);
    if (response.writableFinished) return;
    if (exchange.ending === 'answered' || exchange.ending === 'client-left') {
      exchange.ending = 'client-left';
      metrics.streamAborted(upstream.name, 'client');
    }
    upstreamCall.cancel();
  };
  call.onHardStop = hardStop;
  call.onClose = leave;
}

/** Sends the response by the plan of the response gate: relayed unscanned, held as a whole, or scanned as a stream. */
function scanned(call: Call, delivery: Delivery): Handover | null {
  const { target, exchange, runtime } = call;
  const { answer, upstream } = delivery;
  const settings = runtime.response!;
  const path = endpointPath(upstream, target.rest);
  const plan = responsePlanFor(path, answer);
  if (plan.kind === 'unread') runtime.metrics.unscannable('media-answer');
  if (plan.kind === 'pass' || plan.kind === 'unread') return relay(delivery);
  const { canaries } = settings;
  const { secrets = [] } = call;
  const forbidden = canaries.length + secrets.length === 0 ? null : { canaries, secrets };
  const context = scanContextOf(call, upstream, 'response');
  const rules = rulesOf(call, upstream);
  const { scanner, metrics } = runtime;
  const judge = createResponseJudge(scanner!, metrics, rules, settings, path, context, exchange, forbidden);
  return plan.kind === 'whole'
    ? hold(delivery, judge, settings.maxBytes)
    : handOverStream(delivery, plan.stream, path, settings, runtime.scanner!, judge, runtime.metrics, forbidden);
}

function rulesOf(call: Call, upstream: Upstream): Rules {
  return { policy: upstream.policy, shadow: upstream.shadow, failure: call.runtime.failure };
}

function scanContextOf({ request, target, runtime }: Call, upstream: Upstream, direction: Direction): ScanContext {
  return {
    direction,
    upstream: upstream.name,
    path: target.rest,
    client: runtime.clientAddress(request),
    now: Date.now(),
  };
}
