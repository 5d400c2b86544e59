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

/** Whether an address, written in full or with groups left out, is in a range of the public internet. */
export function isPublicAddress(text: string): boolean {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('.'));
  return isAddress && ipaddr.parse(text).range() === 'unicast';
}
