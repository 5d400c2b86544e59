import { digitsOf, isDate, isOneDigit, lastDigits, luhn, mod11And10, weighted } from './checksums.ts';

/**
 * Identity numbers of European states, by the check that each state builds into them. A match may begin with the word
 * that named the number, so that a check takes the number from the end of the match.
 */

const pair = (digits: string, at: number): number => Number(digits.slice(at, at + 2));

/** There is no check digit, but some prefixes are never given out. */
export function ukNino(match: string): boolean {
  const prefix = match.slice(0, 2).toUpperCase();
  return (
    !['BG', 'GB', 'KN', 'NK', 'NT', 'TN', 'ZZ'].includes(prefix) &&
    !/^[DFIQUV]|^.[DFIOQUV]/.test(prefix) &&
    !isOneDigit(digitsOf(match))
  );
}

export function ukNhs(match: string): boolean {
  const digits = lastDigits(match, 10);
  const check = (11 - (weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return digits.length === 10 && check === Number(digits[9]) && !isOneDigit(digits);
}

const SPANISH = 'TRWAGMYFPDXBNJZSQVHLCKE';

export function spanishDni(match: string): boolean {
  const digits = lastDigits(match, 8);
  return (
    SPANISH[Number(digits) % 23] === match.at(-1)?.toUpperCase() &&
    !isOneDigit(digits) &&
    !/12345678|00000000/.test(digits)
  );
}

export function spanishNie(match: string): boolean {
  const number = /([XYZ])[- ]?(\d{7})[- ]?([A-Z])$/i.exec(match);
  if (number === null) return false;
  const [, first = '', digits = '', letter = ''] = number;
  return (
    SPANISH[Number(`${'XYZ'.indexOf(first.toUpperCase())}${digits}`) % 23] === letter.toUpperCase() &&
    !isOneDigit(digits)
  );
}

const ODD_VALUES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
] as const;

export function italianCodiceFiscale(match: string): boolean {
  const code = match.slice(-16).toUpperCase();
  if (!/^[A-Z0-9]{16}$/.test(code)) return false;
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const char = code[i] as string;
    const value = /\d/.test(char) ? Number(char) : char.charCodeAt(0) - 65;
    sum += i % 2 === 0 ? (ODD_VALUES[value] as number) : value;
  }
  return code.charCodeAt(15) - 65 === sum % 26;
}

/**
 * Thirteen digits, followed by two check digits. Corsica writes its two departments with a letter: 2A counts as 19, 2B
 * as 18.
 */
export function frenchInsee(match: string): boolean {
  const compact = match
    .replace(/[^0-9AB]/gi, '')
    .slice(-15)
    .toUpperCase();
  const number = compact.slice(0, 13).replace('2A', '19').replace('2B', '18');
  const month = pair(compact, 3);
  if (!/^\d{13}$/.test(number) || !((month >= 1 && month <= 12) || (month >= 20 && month <= 42) || month >= 50))
    return false;
  return 97 - Number(BigInt(number) % 97n) === Number(compact.slice(13));
}

/** Eleven digits, the first of which is not 0. Among the first ten, exactly one digit occurs two or three times. */
export function germanSteuerId(match: string): boolean {
  const digits = lastDigits(match, 11);
  const counts = new Map<string, number>();
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  return (
    digits.length === 11 &&
    digits[0] !== '0' &&
    repeated.length === 1 &&
    (repeated[0] as number) <= 3 &&
    mod11And10(digits)
  );
}

export function dutchBsn(match: string): boolean {
  const digits = lastDigits(match, 9);
  return digits.length === 9 && !isOneDigit(digits) && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
}

/**
 * The last two digits are 97 minus the remainder of the others by 97; for those born after 1999, with a 2 before the
 * others.
 */
export function belgianNumber(match: string): boolean {
  const digits = lastDigits(match, 11);
  const check = pair(digits, 9);
  const number = Number(digits.slice(0, 9));
  return (
    digits.length === 11 &&
    isDate(pair(digits, 4), pair(digits, 2)) &&
    [number, 2e9 + number].some((one) => 97 - (one % 97) === check)
  );
}

/** The month tells the century, by 80, 20, 40 or 60 that are added to it. */
export function polishPesel(match: string): boolean {
  const digits = lastDigits(match, 11);
  const check = (10 - (weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10;
  return digits.length === 11 && isDate(pair(digits, 4), pair(digits, 2) % 20) && check === Number(digits[10]);
}

/** `backup-20240301-0032.tar.gz`: a day and a time, one in ten of which has the check digit. */
const FILE_NAME = /^[a-z]+[-_]\d|\.(?:tar|t?gz|zip|sql|log|bak|dump|txt|csv|json|xml|pdf|png|jpe?g|mp4|img|iso|db)$/i;

/** In a coordination number (samordningsnummer), 60 is added to the day. */
export function swedishNumber(match: string): boolean {
  if (FILE_NAME.test(match) && !/^(?:pers|pnr|id|nr)/i.test(match)) return false;
  const digits = lastDigits(match, 10);
  const day = pair(digits, 4);
  return isDate(day > 60 ? day - 60 : day, pair(digits, 2)) && luhn(digits);
}

export function finnishHetu(match: string): boolean {
  const code = match.slice(-11).toUpperCase();
  if (code.length !== 11) return false;
  const number = Number(code.slice(0, 6) + code.slice(7, 10));
  return isDate(pair(code, 0), pair(code, 2)) && '0123456789ABCDEFHJKLMNPRSTUVWXY'[number % 31] === code[10];
}

export function norwegianNumber(match: string): boolean {
  const digits = lastDigits(match, 11);
  const first = (11 - (weighted(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11;
  const second = (11 - (weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return (
    isDate(pair(digits, 0) % 40, pair(digits, 2) % 40) && first === Number(digits[9]) && second === Number(digits[10])
  );
}

/** Denmark ran out of numbers that pass its old check in 2007, so the date is all that can be asked. */
export function danishCpr(match: string): boolean {
  const digits = lastDigits(match, 10);
  return digits.length === 10 && isDate(pair(digits, 0), pair(digits, 2)) && !digits.endsWith('0000');
}

export function portugueseNif(match: string): boolean {
  const digits = lastDigits(match, 9);
  const rest = weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return /^[1235689]/.test(digits) && !isOneDigit(digits) && (rest < 2 ? 0 : 11 - rest) === Number(digits[8]);
}

/** Swiss social insurance: an article number (EAN-13) that begins with the country, 756. */
export function swissAhv(match: string): boolean {
  const digits = lastDigits(match, 13);
  const sum = weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]);
  return digits.startsWith('756') && (10 - (sum % 10)) % 10 === Number(digits[12]) && digits !== '7569217076985';
}

export function romanianCnp(match: string): boolean {
  const digits = lastDigits(match, 13);
  const rest = weighted(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return (
    digits.length === 13 && isDate(pair(digits, 5), pair(digits, 3)) && (rest === 10 ? 1 : rest) === Number(digits[12])
  );
}

/**
 * Czech and Slovak. For women, 50 is added to the month. Of a day since 2004 whose numbers are used up, 20 more are. The
 * whole number is divisible by eleven; until 1985 it could be one for which a check digit of ten was written as zero.
 */
export function czechNumber(match: string): boolean {
  const digits = lastDigits(match, 10);
  if (digits.length !== 10) return false;
  // Numbers of ten digits are given out since 1954.
  const year = pair(digits, 0) + (pair(digits, 0) < 54 ? 2000 : 1900);
  const month = pair(digits, 2) % 50;
  if (!isDate(pair(digits, 4), month > 20 && year >= 2004 ? month - 20 : month)) return false;
  return Number(digits) % 11 === 0 || (year < 1985 && digits.endsWith('0') && Number(digits.slice(0, 9)) % 11 === 10);
}
