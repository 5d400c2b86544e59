import type { IncomingMessage } from 'node:http';
import { refuse, type Refusal } from '../domain/refusal.ts';
import { headFault, type HeadFault } from './head-fault.ts';
import type { Target } from './target.ts';

/** What Node read in an Expect header, if there was one. */
export type Expectation = 'nothing' | 'continue' | 'something-else';

/** Real clients never pipeline; a hostile one would turn one socket into hundreds of upstream calls. */
const MAX_PIPELINED = 8;

const HEAD_FAULTS = {
  version: refuse('http_version_not_supported'),
  host: refuse('bad_request', { message: 'Missing Host header' }),
  duplicate: refuse('bad_request', { message: 'A header that must be single was sent twice' }),
  'header-name': refuse('bad_request', { message: 'Unsupported header name' }),
  'header-count': refuse('headers_too_large'),
  'transfer-encoding': refuse('not_implemented'),
  framing: refuse('bad_request', { message: 'Ambiguous request framing' }),
} satisfies Record<HeadFault, Refusal>;

/** The refusal of a request that must not reach any route, or null. `onSocket` counts the requests on its socket. */
export function refusalOfUnroutable(
  request: IncomingMessage,
  target: Target | null,
  expects: Expectation,
  onSocket: number,
): Refusal | null {
  const fault = headFault(request);
  if (fault !== null) return HEAD_FAULTS[fault];
  if (target === null) return refuse('bad_request', { message: 'Unsupported request target' });
  if (onSocket > MAX_PIPELINED) return refuse('too_many_pipelined');
  if (expects === 'something-else') return refuse('expectation_failed');
  if (wantsOtherProtocol(request)) return refuse('upgrade_required', { headers: { Upgrade: 'HTTP/1.1' } });
  return null;
}

/** Node looks for `100-continue` anywhere in the header. */
export function expectsNothingElse({ headers }: IncomingMessage): boolean {
  return headers.expect!.split(',').every((one) => one.trim().toLowerCase() === '100-continue');
}

/**
 * `h2c` is an offer that may be ignored (RFC 9110, 7.8). With any other protocol the client will not speak HTTP
 * afterwards.
 */
function wantsOtherProtocol(request: IncomingMessage): boolean {
  const { upgrade } = request.headers;
  return upgrade !== undefined && upgrade.split(',').some((name) => name.trim().toLowerCase() !== 'h2c');
}
