import type { Direction } from '../domain/job.ts';
import { modelEndpointAt } from '../domain/model-endpoints.ts';
import type { ScanContext } from '../domain/policy.ts';
import type { Rules } from '../proxy/judgement.ts';
import { endpointPath, type Upstream } from '../proxy/upstreams.ts';
import { clientOf, type Call } from './call.ts';

/** A call for an upstream, and what both its request and its answer are judged by. */
export interface ProxiedCall {
  readonly call: Call;
  readonly upstream: Upstream;
  /** The path at the upstream, by which the wire format of both bodies is known. */
  readonly path: string;
  /** Whether the answer is scanned and not only relayed. */
  readonly scansAnswer: boolean;
}

export function proxiedCall(call: Call, upstream: Upstream): ProxiedCall {
  const { scanner, response } = call.runtime;
  const path = endpointPath(upstream, call.target.rest);
  return { call, upstream, path, scansAnswer: scanner !== null && response !== null && modelEndpointAt(path) !== null };
}

export function rulesOf({ call, upstream }: ProxiedCall): Rules {
  return { policy: upstream.policy, shadow: upstream.shadow, failure: call.runtime.failure };
}

export function scanContextOf({ call, upstream }: ProxiedCall, direction: Direction): ScanContext {
  return {
    direction,
    upstream: upstream.name,
    path: call.target.rest,
    // A function and no getter: V8 keeps the getter of an object literal in old space, and with it the whole call.
    client: () => clientOf(call),
    now: Date.now(),
  };
}
