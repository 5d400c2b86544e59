import { acrostic } from './acrostic.ts';
import { assembly } from './assembly.ts';
import { base32 } from './base32.ts';
import { base58 } from './base58.ts';
import { base64 } from './base64.ts';
import { base64Disguised } from './base64-disguised.ts';
import { base64Pieces } from './base64-pieces.ts';
import { base64Words } from './base64-words.ts';
import { base85 } from './base85.ts';
import { bidi } from './bidi.ts';
import { blanks } from './blanks.ts';
import { bracketedCodes } from './bracketed-codes.ts';
import { braille } from './braille.ts';
import { capitalsBetween } from './capitals-between.ts';
import { charCalls } from './char-calls.ts';
import { compressed } from './compressed.ts';
import { concatenation } from './concatenation.ts';
import { cutScriptWords } from './cut-script-words.ts';
import type { Decoder } from './decoder.ts';
import { encodedWords } from './encoded-words.ts';
import { entities } from './entities.ts';
import { escapes } from './escapes.ts';
import { filledWords } from './filled-words.ts';
import { fieldsOfScripts } from './fields-of-scripts.ts';
import { folded } from './folded.ts';
import { framedRows } from './framed-rows.ts';
import { framedLetters } from './framed-letters.ts';
import { gluedWords } from './glued-words.ts';
import { hex } from './hex.ts';
import { hiddenMarkup } from './hidden-markup.ts';
import { hyphenated } from './hyphenated.ts';
import { interleaved } from './interleaved.ts';
import { invisibleBits } from './invisible-bits.ts';
import { joinedPhrases } from './joined-phrases.ts';
import { joinedScriptWords } from './joined-script-words.ts';
import { joinedWords } from './joined-words.ts';
import { leftOutVowels } from './left-out-vowels.ts';
import { leet } from './leet.ts';
import { lettersApart } from './letters-apart.ts';
import { markup } from './markup.ts';
import { markedHex } from './marked-hex.ts';
import { maskedScriptWords } from './masked-script-words.ts';
import { mistypedWords } from './mistyped-words.ts';
import { mojibake } from './mojibake.ts';
import { morse } from './morse.ts';
import { movedBlanks } from './moved-blanks.ts';
import { movedLetters } from './moved-letters.ts';
import { numberedWords } from './numbered-words.ts';
import { numbers } from './numbers.ts';
import { latinOnRussianKeys, otherLatinKeys, russianOnLatinKeys } from './other-keyboard.ts';
import { pdfStrings } from './pdf-strings.ts';
import { percent } from './percent.ts';
import { pigLatin } from './pig-latin.ts';
import { places } from './places.ts';
import { punycode } from './punycode.ts';
import { quotedPrintable } from './quoted-printable.ts';
import { repeatedLetters } from './repeated-letters.ts';
import { backwards, backwardsWords, wordOrder } from './reversals.ts';
import { reversedLines } from './reversed-lines.ts';
import { reversedScripts, reversedScriptWords } from './reversed-scripts.ts';
import { rot47 } from './rot47.ts';
import { rotations } from './rotations.ts';
import { rtf } from './rtf.ts';
import { scrambledWords } from './scrambled-words.ts';
import { shiftedCodes } from './shifted-codes.ts';
import { spelledOut } from './spelled-out.ts';
import { spellingAlphabet } from './spelling-alphabet.ts';
import { splitWords } from './split-words.ts';
import { tags } from './tags.ts';
import { tapCode } from './tap-code.ts';
import { terminalStrings } from './terminal-strings.ts';
import { texCodes } from './tex-codes.ts';
import { turnedCodes } from './turned-codes.ts';
import { turnedEscapes } from './turned-escapes.ts';
import { upsideDown } from './upside-down.ts';
import { uuencode } from './uuencode.ts';
import { variationSelectors } from './variation-selectors.ts';
import { wordGames } from './word-games.ts';
import { wrappedLetters } from './wrapped-letters.ts';

/**
 * Every decoder, in order of precedence: where two claim the same characters, the earlier one wins in the in-place
 * reading. First come invisible characters, then encodings whose output can only be text, then escapes, then decoders
 * that have to guess.
 */
export const DECODERS: readonly Decoder[] = [
  folded,
  tags,
  variationSelectors,
  invisibleBits,
  bidi,
  terminalStrings,
  encodedWords,
  base64,
  base64Disguised,
  base64Pieces,
  base64Words,
  compressed,
  hex,
  markedHex,
  bracketedCodes,
  base32,
  numbers,
  uuencode,
  base85,
  base58,
  shiftedCodes,
  turnedCodes,
  turnedEscapes,
  // This decoder guesses, but only among known words. It comes before the escapes: a symbol inside a mistyped word
  // would otherwise be taken for an escape or for emphasis.
  mistypedWords,
  maskedScriptWords,
  cutScriptWords,
  percent,
  entities,
  rtf,
  texCodes,
  escapes,
  mojibake,
  quotedPrintable,
  punycode,
  charCalls,
  concatenation,
  pdfStrings,
  assembly,
  filledWords,
  wrappedLetters,
  markup,
  hiddenMarkup,
  framedRows,
  fieldsOfScripts,
  upsideDown,
  braille,
  morse,
  tapCode,
  places,
  spellingAlphabet,
  spelledOut,
  lettersApart,
  hyphenated,
  splitWords,
  movedBlanks,
  capitalsBetween,
  repeatedLetters,
  scrambledWords,
  movedLetters,
  numberedWords,
  leftOutVowels,
  gluedWords,
  joinedWords,
  joinedPhrases,
  joinedScriptWords,
  framedLetters,
  leet,
  pigLatin,
  acrostic,
  ...rotations,
  rot47,
  russianOnLatinKeys,
  latinOnRussianKeys,
  ...otherLatinKeys,
  ...wordGames,
  interleaved,
  reversedLines,
  backwards,
  backwardsWords,
  reversedScripts,
  reversedScriptWords,
  wordOrder,
  blanks,
];

/** The names, as readings have them in `via`, of the decoders of some kind. */
export function namesOfDecoders(isOfKind: (decoder: Decoder) => boolean): ReadonlySet<string> {
  return new Set(DECODERS.filter(isOfKind).map(({ name }) => name));
}
