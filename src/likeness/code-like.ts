/**
 * Programs are full of prompts, roles, rules and commands, and therefore resemble attacks. So a full window of words
 * with as many marks between them as only programs and data have needs a higher score before it counts. Short texts are
 * exempt: an attack may hold a line of code, and one that is wrapped in sixty words of code can be known by more than
 * its likeness.
 */
const IS_CODE_SIGN = Uint8Array.from({ length: 256 }, (_, byte) =>
  '{}()[];=<>_"`|\\'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

const MIN_WORDS = 48;
const MIN_SIGNS_PER_WORD = 0.25;
const CODE_PENALTY = 2.75;

export function countCodeSigns(bytes: Uint8Array, from: number, to: number): number {
  let signs = 0;
  for (let at = from; at < to; at += 1) signs += IS_CODE_SIGN[bytes[at]!]!;
  return signs;
}

/** What a window's score loses for looking like code. */
export function codePenalty(words: number, signs: number): number {
  return words >= MIN_WORDS && signs >= words * MIN_SIGNS_PER_WORD ? CODE_PENALTY : 0;
}
