/** Why a start failed, as the setting that the operator has to change. */

/** A listener that the configuration asks for. `key` is the section of the configuration that names it. */
export interface Listener {
  readonly key: string;
  readonly host: string;
  readonly port: number;
}

/** Returns null when the error is not that of one of these listeners. */
export function listenFault(error: unknown, listeners: readonly Listener[]): string | null {
  const { code, syscall, address, port, hostname } = error as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly port?: number;
    readonly hostname?: string;
  };
  // The error of a name has no port, and an error without an address is that of the only listener there can be.
  const listener =
    syscall === 'listen'
      ? listeners.find((each) => each.port === port && (address === undefined || sameHost(each.host, address)))
      : listeners.find((each) => hostname !== undefined && each.host === hostname);
  const { key, host } = listener ?? listeners[0]!;
  const where = `${host.includes(':') ? `[${host}]` : host}:${listener?.port ?? port}`;
  if (syscall === 'getaddrinfo')
    return listener === undefined ? null : `${host} is no host name that is known here (${code}); see ${key}.host`;
  if (syscall !== 'listen') return null;
  if (code === 'EADDRINUSE') return `${where} is in use; choose another ${key}.port`;
  if (code === 'EACCES') return `no permission to listen on ${where}; ports below 1024 need it, see ${key}.port`;
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine; see ${key}.host`;
  return `cannot listen on ${where} (${code}); see ${key}.host and ${key}.port`;
}

/** A name, such as localhost, was resolved before the system was asked to listen. */
function sameHost(host: string, address: string): boolean {
  return host === address || !/^[\d.]+$|:/.test(host);
}
