import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { canonicalAddress } from '../domain/address.ts';

/**
 * The client's IP address: the peer of the socket, or X-Forwarded-For if the peer is a proxy that the operator trusts.
 */
export type ClientAddress = (request: IncomingMessage) => string;

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const ranges = trustedProxies.map(parseRange);
  return (request) => {
    const peer = request.socket.remoteAddress ?? 'unknown';
    if (ranges.length === 0 || !trusted(ranges, peer)) return canonicalAddress(peer);
    const forwarded = request.headers['x-forwarded-for'];
    const hops = typeof forwarded === 'string' ? forwarded.split(',').slice(-16) : [];
    // From the right: each trusted proxy appended the address of its peer, so the first address that is not a trusted
    // proxy is the client. Everything further left was sent by the client and may be forged.
    for (let i = hops.length - 1; i >= 0; i -= 1) {
      const hop = withoutPort(hops[i]!.trim());
      if (!ipaddr.isValid(hop)) return canonicalAddress(peer);
      if (i === 0 || !trusted(ranges, hop)) return canonicalAddress(hop);
    }
    return canonicalAddress(peer);
  };
}

/** Some load balancers append the port, and write an IPv6 address in brackets: `192.0.2.1:5678`, `[2001:db8::1]:443`. */
function withoutPort(hop: string): string {
  const parts = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop);
  return parts?.[1] ?? parts?.[2] ?? hop;
}

function parseRange(text: string): Range {
  const [address, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : wholeAddress(text);
  // Addresses are compared as IPv4 where they can be.
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96)
    return [address.toIPv4Address(), bits - 96];
  return [address, bits];
}

function wholeAddress(text: string): Range {
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function trusted(ranges: readonly Range[], text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}
