import type { RefusalType } from '../domain/refusal.ts';

/** What was wrong on a connection before there was a request, and how it is answered. */
export interface SocketFault {
  readonly reason: 'timeout' | 'headers_too_large' | 'version' | 'cut_short' | 'malformed' | 'connect';
  readonly type: RefusalType;
}

/**
 * Errors of Node's parser and timers. Their codes are Node's and change with it, so metrics and logs have names of ours.
 */
const SOCKET_FAULTS: Readonly<Record<string, SocketFault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { reason: 'timeout', type: 'request_timeout' },
  HPE_HEADER_OVERFLOW: { reason: 'headers_too_large', type: 'headers_too_large' },
  HPE_INVALID_VERSION: { reason: 'version', type: 'http_version_not_supported' },
  HPE_INVALID_EOF_STATE: { reason: 'cut_short', type: 'bad_request' },
};
const MALFORMED: SocketFault = { reason: 'malformed', type: 'bad_request' };
export const CONNECT: SocketFault = { reason: 'connect', type: 'method_not_allowed' };

export function socketFaultOf({ code, reason }: NodeJS.ErrnoException & { readonly reason?: string }): SocketFault {
  // The version was one of ours, and its line does not end behind it: in LF alone, for example.
  if (reason === 'Expected CRLF after version') return MALFORMED;
  return SOCKET_FAULTS[code ?? ''] ?? MALFORMED;
}
