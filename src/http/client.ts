import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Who is calling: the socket's peer, unless the peer is a proxy that the operator trusts to say. */
export type ClientAddress = (request: IncomingMessage) => string;

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const ranges = trustedProxies.map(parseRange);
  return (request) => {
    const peer = request.socket.remoteAddress ?? 'unknown';
    if (ranges.length === 0 || !trusted(ranges, peer)) return plain(peer);
    const forwarded = request.headers['x-forwarded-for'];
    const hops = typeof forwarded === 'string' ? forwarded.split(',').slice(-16) : [];
    // From the right: the first address that no proxy of ours wrote is the client. Anything left of it is its own claim.
    for (let i = hops.length - 1; i >= 0; i -= 1) {
      const hop = hops[i]!.trim();
      if (!ipaddr.isValid(hop)) return plain(peer);
      if (i === 0 || !trusted(ranges, hop)) return plain(hop);
    }
    return plain(peer);
  };
}

function parseRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function trusted(ranges: readonly Range[], text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

const IPV4 = /^(?:(?:[1-9]?\d|1\d\d|2[0-4]\d|25[0-5])\.){3}(?:[1-9]?\d|1\d\d|2[0-4]\d|25[0-5])$/;

/** `::ffff:10.0.0.1` and `10.0.0.1` are one client. */
function plain(text: string): string {
  // What a socket calls an IPv4 peer is plain already, and asked for on every call.
  if (IPV4.test(text)) return text;
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : text;
}
