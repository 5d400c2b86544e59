/**
 * Digits behind a decimal point are a fraction and name nothing: one random fraction of sixteen digits in fifty begins
 * like a payment card and has its check digit, and answers are full of them. Digits in groups are no fraction, as in
 * `1.4929 8387 0635 6485`, a card in a numbered list. Neither are digits behind the end of a sentence. A comma is no
 * decimal point here, since it also parts the columns of tables in which cards stand.
 */
export function isOnlyDigits(match: string): boolean {
  return /^\d+$/.test(match);
}

/** Whether a decimal point stands before this place of UTF-8 text: a point that ends no word. */
export function isBehindPoint(bytes: Buffer, at: number): boolean {
  return /(?:^|\P{L})\.$/u.test(bytes.toString('utf8', Math.max(0, at - LOOKED_BACK), at));
}

/** Bytes in which a point and any character before it have room. */
const LOOKED_BACK = 8;
