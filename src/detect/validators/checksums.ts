/** Check digits, as the standards define them. */

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** A match may begin with the word that named the number, so that a check takes the number from its end. */
export function lastDigits(match: string, count: number): string {
  return digitsOf(match).slice(-count);
}

/** The check of payment cards: every second digit from the right counts twice. */
export function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const twice = digit * 2;
    sum += i % 2 === 0 ? digit : twice > 9 ? twice - 9 : twice;
  }
  return digits.length > 1 && sum % 10 === 0;
}

/** ISO 7064 MOD 97-10 over letters and digits: letters count as 10 to 35. */
export function mod97(text: string): number {
  let rest = 0;
  for (const char of text) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** ISO 7064 MOD 11,10, in which the last digit is the check digit. */
export function mod11And10(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

/** Sum of the digits times their weights. Digits beyond the weights are ignored, and missing ones count as 0. */
export function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits[i] ?? 0), 0);
}

/** The multiplication of the Verhoeff check (the dihedral group D5), and its permutation of digits. */
const TIMES = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
  [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
  [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
  [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
  [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
  [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
  [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
  [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
  [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
] as const;
const TURN = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4] as const;

export function verhoeff(digits: string): boolean {
  let check = 0;
  for (let i = 0; i < digits.length; i++) {
    let digit = Number(digits[digits.length - 1 - i]);
    for (let turns = i % 8; turns > 0; turns--) digit = TURN[digit] as number;
    check = (TIMES[check] as readonly number[])[digit] as number;
  }
  return check === 0;
}

/**
 * Whether there is such a day in such a month. Where a country adds twenty or forty to the month to tell the century,
 * the caller removes that first.
 */
export function isDate(day: number, month: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31);
}

/** Whether it is one digit repeated. Nobody was given such a number, though most checksums accept 000... */
export function isOneDigit(digits: string): boolean {
  return new Set(digits).size === 1;
}
