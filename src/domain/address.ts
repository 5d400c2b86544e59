import ipaddr from 'ipaddr.js';

const IPV4 = /^(?:(?:[1-9]?\d|1\d\d|2[0-4]\d|25[0-5])\.){3}(?:[1-9]?\d|1\d\d|2[0-4]\d|25[0-5])$/;

/**
 * The canonical spelling of an IP address, because addresses are compared as text: `::ffff:10.0.0.1 -> 10.0.0.1`,
 * `2001:DB8:0::1 -> 2001:db8::1`. Text that is no address stays as it is.
 */
export function canonicalAddress(text: string): string {
  // A shortcut for every call: a plain IPv4 address is canonical already.
  if (IPV4.test(text)) return text;
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : text;
}

/** Where a network of 64 bits holds many clients: hosts of a local network, and those of IPv4 behind a translator. */
const EACH_ALONE: ReadonlySet<string> = new Set(['uniqueLocal', 'linkLocal', 'loopback', 'rfc6052', 'rfc6145']);

/**
 * What a canonical address counts as when clients are counted. Of IPv6 it is the network of 64 bits: whoever has one
 * address of it has all the others as well. What is no such address stays as it is.
 */
export function countedAs(text: string): string {
  if (!text.includes(':') || !ipaddr.IPv6.isValid(text)) return text;
  const address = ipaddr.IPv6.parse(text);
  if (EACH_ALONE.has(address.range())) return text;
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

/** Whether an address, written in full or with groups left out, is in a range of the public internet. */
export function isPublicAddress(text: string): boolean {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('.'));
  return isAddress && ipaddr.parse(text).range() === 'unicast';
}
