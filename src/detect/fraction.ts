/**
 * Digits behind a decimal point are a fraction and name nothing: one random fraction of sixteen digits in fifty begins
 * like a payment card and has its check digit, and answers are full of them. Digits in groups are no fraction, as in
 * `1.4929 8387 0635 6485`, a card in a numbered list. Neither are digits behind the end of a sentence. A comma is no
 * decimal point here, since it also parts the columns of tables in which cards stand.
 *
 * `before` is what stands before the match, of which the last two characters count.
 */
export function isFraction(match: string, before: string): boolean {
  return /^\d+$/.test(match) && /(?:^|\P{L})\.$/u.test(before);
}

/** The same where the match may stand in several places between `from` and `to`: whether it is a fraction in each. */
export function isFractionThroughout(match: string, text: string, from: number, to: number): boolean {
  let at = text.indexOf(match, from);
  if (at < 0) return false;
  for (; at >= 0 && at + match.length <= to; at = text.indexOf(match, at + match.length))
    if (!isFraction(match, text.slice(Math.max(0, at - LOOKED_BACK), at))) return false;
  return true;
}

/** Units, or bytes of UTF-8, in which two characters have room. */
export const LOOKED_BACK = 8;
