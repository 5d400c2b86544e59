import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * The client's IP address: the peer of the socket, or X-Forwarded-For if the peer is a proxy that the operator trusts.
 */
export type ClientAddress = (request: IncomingMessage) => string;

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const ranges = trustedProxies.map(parseRange);
  return (request) => {
    const peer = request.socket.remoteAddress ?? 'unknown';
    if (ranges.length === 0 || !trusted(ranges, peer)) return plain(peer);
    const forwarded = request.headers['x-forwarded-for'];
    const hops = typeof forwarded === 'string' ? forwarded.split(',').slice(-16) : [];
    // From the right: each trusted proxy appended the address of its peer, so the first address that is not a trusted
    // proxy is the client. Everything further left was sent by the client and may be forged.
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

/** The canonical spelling of an address: `::ffff:10.0.0.1 -> 10.0.0.1`, so that both count as one client. */
function plain(text: string): string {
  // A shortcut for every call: a plain IPv4 address is canonical already.
  if (IPV4.test(text)) return text;
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : text;
}
