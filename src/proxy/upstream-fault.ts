/** Why no response head arrived. */
export type UpstreamFault = 'unreachable' | 'timeout' | 'closed' | 'invalid';

/** Codes are from the closed sets of the system, of Node and of OpenSSL. A message may quote what somebody sent. */
export function errorCode(error: unknown): string | null {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : null;
}

/** Codes of Node's HTTP parser. */
export function isMalformed({ code }: NodeJS.ErrnoException): boolean {
  return code?.startsWith('HPE_') === true;
}

export function faultOf(error: NodeJS.ErrnoException, connecting: boolean): UpstreamFault {
  if (isMalformed(error)) return 'invalid';
  if (error.code === 'ETIMEDOUT') return 'timeout';
  if (connecting) return 'unreachable';
  return 'closed';
}
