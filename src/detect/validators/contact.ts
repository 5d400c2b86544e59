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

/**
 * An address on the public internet: ranges for private use, loopback, documentation and multicast belong to nobody.
 */
export function publicIp(match: string): boolean {
  if (match.includes(':'))
    return /^[0-9a-f:]+$/i.test(match) && match.split(':').length === 8 && !/^(?:fe80|fc|fd|2001:0?db8)/i.test(match);
  const parts = match.split('.').map(Number);
  const [a = 0, b = 0, c = 0] = parts;
  if (parts.some((part) => part > 255) || a < 5 || a === 10 || a === 127 || a >= 224) return false;
  if ((a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 169 && b === 254)) return false;
  return !(
    (a === 192 && b === 0 && c === 2) ||
    (a === 198 && b === 51) ||
    (a === 203 && b === 0 && c === 113) ||
    (a === 8 && b === 8)
  );
}
