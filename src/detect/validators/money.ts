import { digitsOf, isOneDigit, luhn, mod97, weighted } from './checksums.ts';

/**
 * Payment cards and bank accounts. The numbers that payment companies publish for tests count as cards: an operator who
 * tries whether the block works uses one of them, and only a list could tell them from a customer's.
 */

/** For each issuer, the beginning of its numbers and the lengths that it hands out now. */
const ISSUERS: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [16]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|095|6|[89])/, [14, 16]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50|5[6-8]|63|67)/, [16, 18, 19]],
  [/^220[0-4]/, [16]],
];

/** Without a word beside it that names a card, a number must have a length that its issuer hands out now. */
export function paymentCard(match: string): boolean {
  const digits = digitsOf(match);
  return (
    luhn(digits) &&
    !isOneDigit(digits) &&
    ISSUERS.some(([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length))
  );
}

/** Beside such a word, old and odd lengths count too: 13-digit Visa, 15-digit JCB, 12-digit Maestro. */
export function namedCard(match: string): boolean {
  const digits = digitsOf(match);
  return (
    /^(?:[3456]|2[12]|18)/.test(digits) &&
    digits.length >= 12 &&
    digits.length <= 19 &&
    luhn(digits) &&
    !isOneDigit(digits)
  );
}

const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 ' +
    'FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 ' +
    'LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 ' +
    'SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((one) => [one.slice(0, 2), Number(one.slice(2))]),
);

/**
 * The country says how long the number is. What follows is the next word, which was matched because it stood in a group
 * of four as well.
 */
export function iban(match: string): boolean {
  const compact = match.replace(/[ -]/g, '').toUpperCase();
  const length = IBAN_LENGTHS[compact.slice(0, 2)];
  if (length === undefined || compact.length < length) return false;
  const account = compact.slice(0, length);
  if (compact.length > length && !endsInGroup(match, length)) return false;
  return mod97(account.slice(4) + account.slice(0, 4)) === 1 && !/^..\d\d0+$/.test(account);
}

/** Whether a group ends after `length` characters of the match. */
function endsInGroup(match: string, length: number): boolean {
  let seen = 0;
  for (const char of match) {
    if (char === ' ' || char === '-') {
      if (seen === length) return true;
    } else seen += 1;
    if (seen > length) return false;
  }
  return true;
}

/** The nine digits that stand for a US bank. */
export function routingNumber(match: string): boolean {
  const digits = digitsOf(match).slice(0, 9);
  const area = Number(digits.slice(0, 2));
  const isArea = area <= 12 || (area >= 21 && area <= 32) || (area >= 61 && area <= 72) || area === 80;
  return (
    digits.length === 9 && isArea && !isOneDigit(digits) && weighted(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0
  );
}
