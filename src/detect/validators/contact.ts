import { isPublicAddress } from '../../domain/address.ts';
import { digitsOf, isOneDigit } from './checksums.ts';

/** How to reach somebody. Honest traffic is full of these, so that they only add to what else is found. */

/** Addresses of nobody: domains for examples and placeholders, names of files, and senders that take no answer. */
const NOBODY =
  /@(?:[\w.-]+\.)?(?:example|test|invalid|localhost|domain|email|yourdomain|mydomain|company|yourcompany)\.[a-z]{2,}$|\.(?:example|test|invalid|local|png|jpe?g|gif|svg|webp|js|css|ts|json|html|py|md)$|^(?:no-?reply|do-?not-?reply|git)@/i;

export function emailAddress(match: string): boolean {
  return !NOBODY.test(match);
}

/**
 * Seven digits are a local number, fifteen the most that E.164 allows. Dates, numbers with thousands separators and
 * IPv4 addresses are no phone numbers.
 */
export function phoneNumber(match: string): boolean {
  const number = match.replace(/^[^+(\d]*/, '').replace(/\s*(?:x|ext\.?)\s*\d{1,6}$/i, '');
  const digits = digitsOf(number);
  if (digits.length < 7 || digits.length > 15 || isOneDigit(digits)) return false;
  return (
    !/^(?:19|20)\d\d[-./ ](?:0?[1-9]|1[0-2])[-./ ]/.test(number) &&
    !/^\d{1,3}(?:[.,]\d{3})+$/.test(number) &&
    !/^(?:\d{1,3}\.){3}\d{1,3}$/.test(number)
  );
}

/** Servers that answer for everybody, and stand in every manual. */
const RESOLVERS: ReadonlySet<string> = new Set(['8.8.8.8', '8.8.4.4']);

/**
 * An address on the public internet: ranges for private use, behind a carrier's own translation, loopback,
 * documentation and multicast belong to nobody. Numbers of versions begin with a small number.
 */
export function publicIp(match: string): boolean {
  if (match.includes(':')) return isGivenOut(match) && isPublicAddress(match);
  return Number(match.split('.')[0]) >= LEAST_FIRST && !RESOLVERS.has(match) && isPublicAddress(match);
}

const LEAST_FIRST = 5;

/** An address that leaves groups out looks like many other things with colons, but for the block that is given out. */
function isGivenOut(match: string): boolean {
  return !match.includes('::') || /^[23][0-9a-f]{3}:/i.test(match);
}
