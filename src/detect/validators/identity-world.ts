import { digitsOf, isDate, isOneDigit, lastDigits, luhn, verhoeff, weighted } from './checksums.ts';

/** Identity numbers of states outside Europe; the rules are those of identity-europe.ts. */

/** Printed on sample cards and in manuals, until half the country knew them. */
const PUBLISHED_SSNS = new Set(['078051120', '219099999', '123456789', '987654321', '111223333', '123121234']);

/** There is no check digit, but some areas, groups and serials were never given out. */
export function usSsn(match: string): boolean {
  return isIssuedSsn(match) && !PUBLISHED_SSNS.has(lastDigits(match, 9));
}

/** Beside the name of such numbers, one from a manual counts too: the text claims that it is one. */
export function isIssuedSsn(match: string): boolean {
  const digits = lastDigits(match, 9);
  return digits.length === 9 && !/^(?:000|666|9)|^...00|0000$/.test(digits) && !isOneDigit(digits);
}

/** Taxpayers without a social security number get nine digits that begin with 9; the fourth and fifth tell the kind. */
export function usItin(match: string): boolean {
  const digits = lastDigits(match, 9);
  const group = Number(digits.slice(3, 5));
  return digits.startsWith('9') && ((group >= 50 && group <= 65) || (group >= 70 && group !== 89 && group !== 93));
}

export function canadianSin(match: string): boolean {
  const digits = lastDigits(match, 9);
  return digits.length === 9 && /^[1-79]/.test(digits) && !isOneDigit(digits) && luhn(digits);
}

export function brazilianCpf(match: string): boolean {
  const digits = lastDigits(match, 11);
  const check = (count: number): number => {
    const rest =
      (weighted(
        digits,
        Array.from({ length: count }, (_, i) => count + 1 - i),
      ) *
        10) %
      11;
    return rest === 10 ? 0 : rest;
  };
  return (
    digits.length === 11 &&
    !isOneDigit(digits) &&
    digits !== '12345678909' &&
    check(9) === Number(digits[9]) &&
    check(10) === Number(digits[10])
  );
}

export function brazilianCnpj(match: string): boolean {
  const digits = lastDigits(match, 14);
  const check = (weights: readonly number[]): number => {
    const rest = weighted(digits, weights) % 11;
    return rest < 2 ? 0 : 11 - rest;
  };
  const second = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
  return (
    digits.length === 14 &&
    !isOneDigit(digits) &&
    check(second.slice(1)) === Number(digits[12]) &&
    check(second) === Number(digits[13])
  );
}

/** Never begins with 0 or 1. */
export function indianAadhaar(match: string): boolean {
  const digits = lastDigits(match, 12);
  return digits.length === 12 && /^[2-9]/.test(digits) && !isOneDigit(digits) && verhoeff(digits);
}

export function chineseResident(match: string): boolean {
  const code = match.slice(-18).toUpperCase();
  const check = '10X98765432'[weighted(code, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11];
  return isDate(Number(code.slice(12, 14)), Number(code.slice(10, 12))) && check === code[17];
}

export function koreanResident(match: string): boolean {
  const digits = lastDigits(match, 13);
  const check = (11 - (weighted(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10;
  return (
    digits.length === 13 &&
    isDate(Number(digits.slice(4, 6)), Number(digits.slice(2, 4))) &&
    check === Number(digits[12])
  );
}

export function japaneseMyNumber(match: string): boolean {
  const digits = lastDigits(match, 12);
  const rest = weighted(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return digits.length === 12 && !isOneDigit(digits) && (rest < 2 ? 0 : 11 - rest) === Number(digits[11]);
}

export function turkishKimlik(match: string): boolean {
  const digits = lastDigits(match, 11);
  const odd = weighted(digits, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = weighted(digits, [0, 1, 0, 1, 0, 1, 0, 1]);
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  return (
    digits.length === 11 &&
    digits[0] !== '0' &&
    tenth === Number(digits[9]) &&
    (odd + even + tenth) % 10 === Number(digits[10])
  );
}

export function southAfricanId(match: string): boolean {
  const digits = lastDigits(match, 13);
  return (
    digits.length === 13 &&
    isDate(Number(digits.slice(4, 6)), Number(digits.slice(2, 4))) &&
    /^\d{10}[01]/.test(digits) &&
    luhn(digits)
  );
}

export function australianTfn(match: string): boolean {
  const digits = lastDigits(match, 9);
  return digits.length === 9 && !isOneDigit(digits) && weighted(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;
}

export function israeliId(match: string): boolean {
  const digits = lastDigits(match, 9);
  return digits.length === 9 && !isOneDigit(digits) && luhn(digits);
}

export function chileanRut(match: string): boolean {
  const compact = match
    .replace(/[^0-9K]/gi, '')
    .slice(-9)
    .toUpperCase();
  const body = compact.slice(0, -1).padStart(8, '0');
  const check = 11 - (weighted(body, [3, 2, 7, 6, 5, 4, 3, 2]) % 11);
  return !isOneDigit(body) && (check === 11 ? '0' : check === 10 ? 'K' : String(check)) === compact.at(-1);
}

/**
 * The weighted sum picks a letter: from one table for citizens (S, T), from another for foreigners (F, G), and from a
 * third for M. For T and G, which are given out from the year 2000 on, the sum is four more.
 */
export function singaporeNric(match: string): boolean {
  const code = match.slice(-9).toUpperCase();
  if (!/^[A-Z]\d{7}[A-Z]$/.test(code)) return false;
  const sum =
    weighted(code.slice(1), [2, 7, 6, 5, 4, 3, 2]) + ('TG'.includes(code[0] as string) ? 4 : code[0] === 'M' ? 3 : 0);
  const letters = 'ST'.includes(code[0] as string) ? 'JZIHGFEDCBA' : code[0] === 'M' ? 'XWUTRQPNJLK' : 'XWUTRQPNMLK';
  const at = code[0] === 'M' ? 10 - (sum % 11) : sum % 11;
  return letters[at] === code[8];
}

export function mexicanCurp(match: string): boolean {
  const code = match.slice(-18).toUpperCase();
  const alphabet = '0123456789ABCDEFGHIJKLMN_OPQRSTUVWXYZ';
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += alphabet.indexOf(code[i] as string) * (18 - i);
  return isDate(Number(code.slice(8, 10)), Number(code.slice(6, 8))) && (10 - (sum % 10)) % 10 === Number(code[17]);
}

/** A number that only the words beside it give away: it has at least five digits and is no placeholder. */
export function documentNumber(match: string): boolean {
  const number = /[A-Z0-9-]+$/i.exec(match)?.[0] ?? '';
  const digits = digitsOf(number);
  return digits.length >= 5 && new Set(digits).size >= 3 && !/^(?:12345678?9?0?|0123456789)$/.test(digits);
}
