import { misuse, type Arguments } from './command.ts';

/** The whole number that a flag was given, or null without the flag. Digits only: `1e3` and `0x10` are refused. */
export function wholeNumber(args: Arguments, flag: string, least: number, most: number): number | null {
  const given = args.text(flag);
  if (given === undefined) return null;
  const number = Number(given);
  if (!/^\d+$/.test(given) || number < least || number > most)
    throw misuse(`--${flag} takes a whole number from ${least} to ${most}`);
  return number;
}
