import type { IncomingMessage } from 'node:http';
import type { Bytes } from '../domain/bytes.ts';
import { refuse, type Refusal } from '../domain/refusal.ts';
import { askForScannable, frame, requestHeaders } from '../http/headers.ts';
import { answerId } from '../http/identity.ts';
import type { Deadline, Phase } from '../proxy/deadline.ts';
import { sever, type Delivery, type Handover } from '../proxy/delivery.ts';
import type { UpstreamCall, UpstreamRequest } from '../proxy/forward.ts';
import { createUnsentRoom, type UnsentRoom } from '../proxy/unsent.ts';
import type { UpstreamFault } from '../proxy/upstream-fault.ts';
import { upstreamPath } from '../proxy/upstreams.ts';
import { handOver } from './answer.ts';
import { endAfterOwnFault, guarded, refuseCall } from './call.ts';
import type { ProxiedCall } from './proxied-call.ts';

const FAULTS = {
  unreachable: refuse('upstream_unreachable'),
  timeout: refuse('upstream_timeout'),
  closed: refuse('upstream_closed'),
  invalid: refuse('upstream_invalid'),
} satisfies Record<UpstreamFault, Refusal>;

/** Created with the first request: a memory limit may be set after the process has started. */
let unsent: UnsentRoom | null = null;

/**
 * Sends the request to the upstream and hands its answer over to the client. Whatever goes wrong on the way, the client
 * is told by a refusal while nothing of the answer has been sent, and by a broken answer afterwards.
 */
export function send(to: ProxiedCall, body: Bytes | null): void {
  const { call, upstream } = to;
  const { response, exchange, runtime } = call;
  const { metrics } = runtime;
  unsent ??= createUnsentRoom();
  const giveRoomBack = unsent.take(body?.length ?? 0);
  if (giveRoomBack === null) {
    refuseCall(call, refuse('overloaded'));
    return;
  }
  // Until there is a call to end: whatever fails before gives its room back.
  const leaveUnsent = (): void => {
    giveRoomBack();
    metrics.closed(upstream.name);
  };
  call.onClose = leaveUnsent;
  const sentAt = performance.now();
  const outgoing = requestFor(to, body);
  /** The answer, and its way to the client. */
  let delivery: Delivery | null = null;
  let handover: Handover | null = null;

  const faulted = (fault: string): void => {
    exchange.upstreamFault = fault;
    metrics.upstreamFault(upstream.name, fault);
  };
  const overdue = (phase: Phase): void => {
    // A client that reads nothing is counted there as well, but it is no fault of the upstream.
    if (phase === 'stalled') metrics.upstreamFault(upstream.name, 'stalled-timeout');
    else faulted(`${phase}-timeout`);
    upstreamCall.cancel();
    if (phase === 'stalled' && delivery !== null) {
      exchange.ending = 'cut';
      sever(delivery);
    } else if (handover !== null) {
      handover.cut(FAULTS.timeout);
    } else {
      refuseCall(call, FAULTS.timeout);
    }
  };
  const deadline = runtime.clock.open(upstream.totalMs, (phase) => guarded(call, () => overdue(phase)));

  metrics.added(upstream.name, (sentAt - exchange.startedAt) / 1000);
  const upstreamCall = upstream.forwarder.send(outgoing, deadline, {
    onResponse(answer) {
      exchange.upstreamMs = performance.now() - sentAt;
      metrics.firstByte(upstream.name, exchange.upstreamMs / 1000);
      // Adopt the upstream's request id now, not only when the head is relayed: if the response is refused, the
      // client should be able to quote this id, too.
      exchange.id = answerId(answer) ?? exchange.id;
      const arrived = deliveryOf(to, answer, deadline, upstreamCall, faulted);
      delivery = arrived;
      try {
        handover = handOver(to, arrived);
      } catch (error) {
        arrived.onOwnFault(error);
        return;
      }
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
    onBodySent: giveRoomBack,
    onRetry() {
      exchange.retried = true;
    },
    onMalformedBody(code) {
      exchange.errorCode = code;
    },
  });

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
    giveRoomBack();
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

function requestFor({ call, upstream, scansAnswer }: ProxiedCall, body: Bytes | null): UpstreamRequest {
  const { request, target } = call;
  const method = request.method!;
  const given = requestHeaders(upstream.host, request.rawHeaders, request.headers.connection);
  const headers = scansAnswer ? askForScannable(given) : given;
  frame(headers, method, body);
  return { method, path: upstreamPath(upstream, target.rest, target.query), headers, body };
}

function deliveryOf(
  { call, upstream }: ProxiedCall,
  answer: IncomingMessage,
  deadline: Deadline,
  upstreamCall: UpstreamCall,
  faulted: (fault: string) => void,
): Delivery {
  const { response, exchange, runtime } = call;
  return {
    upstream,
    answer,
    client: response,
    exchange,
    deadline,
    writeStallMs: runtime.writeStallMs,
    countUpstreamBreak() {
      faulted('broken-body');
      runtime.metrics.streamAborted(upstream.name, 'upstream');
    },
    refuse: (refusal) => refuseCall(call, refusal),
    cancel: () => upstreamCall.cancel(),
    onOwnFault(error) {
      upstreamCall.cancel();
      endAfterOwnFault(call, error);
    },
    isLengthTold: false,
  };
}
