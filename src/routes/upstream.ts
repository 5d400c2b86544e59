import type { Bytes } from '../domain/bytes.ts';
import { refuse, type Refusal } from '../domain/refusal.ts';
import { readBody } from '../http/body.ts';
import { requestGate } from '../proxy/request-gate.ts';
import type { Upstream } from '../proxy/upstreams.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { guarded, isOver, isWaiting, later, refuseCall, type Call } from './call.ts';
import { proxiedCall, rulesOf, scanContextOf, type ProxiedCall } from './proxied-call.ts';
import { send } from './send.ts';

/**
 * The proxy route. `proxied` reads the request body, has it scanned, and sends it to the upstream (send.ts), whose
 * answer is scanned or relayed (answer.ts).
 */
export function proxied(call: Call, upstream: Upstream): void {
  const { request, exchange, runtime } = call;
  exchange.upstream = upstream.name;
  runtime.metrics.opened(upstream.name);
  const leave = (): void => runtime.metrics.closed(upstream.name);
  call.onClose = leave;

  readBody(request, runtime.maxRequestBytes, (body) => {
    if (body.kind === 'client-left' || isOver(call)) return;
    if (body.kind === 'refused') refuseCall(call, refuse(body.type));
    else guarded(call, () => judgeThenSend(call, upstream, body.bytes));
  });
}

function judgeThenSend(call: Call, upstream: Upstream, bytes: Bytes | null): void {
  const { exchange, runtime } = call;
  exchange.requestBytes = bytes?.length ?? 0;
  const to = proxiedCall(call, upstream);
  const { scanner } = runtime;
  if (scanner === null) {
    send(to, bytes);
    return;
  }
  if (bytes === null || bytes.length === 0) {
    // Without a body there is no text to scan, so the request counts as scanned.
    exchange.scanned = true;
    send(to, bytes);
    return;
  }
  const judged = judge(to, scanner, bytes).then((refusal) => {
    if (isOver(call)) return;
    if (refusal === null) send(to, bytes);
    else refuseCall(call, refusal);
  });
  later(call, judged);
}

function judge(to: ProxiedCall, scanner: Scanner, bytes: Bytes): Promise<Refusal | null> {
  const { call, upstream, path, scansAnswer } = to;
  const { request, exchange, runtime } = call;
  const { headers } = request;
  return requestGate(
    scansAnswer ? remembering(scanner, call) : scanner,
    runtime.metrics,
    rulesOf(to),
    {
      bytes,
      wire: upstream.wire,
      direction: 'request',
      sensitive: upstream.scansSecrets,
      path,
      contentType: headers['content-type'] ?? '',
      contentEncoding: headers['content-encoding'] ?? '',
      maxBytes: runtime.maxRequestBytes,
      ...(scansAnswer ? { collectSecrets: true } : {}),
    },
    isWaiting(call),
    scanContextOf(to, 'request'),
    exchange,
  );
}

/**
 * Wraps the scanner to keep the secrets found in the request's instructions: the response is checked for them later.
 */
function remembering(scanner: Scanner, call: Call): Pick<Scanner, 'scan'> {
  return {
    async scan(job, isWanted) {
      const outcome = await scanner.scan(job, isWanted);
      if (outcome.kind === 'report' && outcome.secrets !== undefined) call.secrets = outcome.secrets;
      return outcome;
    },
  };
}
