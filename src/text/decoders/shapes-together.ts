import { base64Words } from './base64-words.ts';
import { bracketedCodes } from './bracketed-codes.ts';
import { capitalsBetween } from './capitals-between.ts';
import { charCalls } from './char-calls.ts';
import { compressed } from './compressed.ts';
import { cutScriptWords } from './cut-script-words.ts';
import type { Decoder } from './decoder.ts';
import { encodedWords } from './encoded-words.ts';
import { fieldsOfScripts } from './fields-of-scripts.ts';
import { filledWords } from './filled-words.ts';
import { framedLetters } from './framed-letters.ts';
import { gluedWords } from './glued-words.ts';
import { interleaved } from './interleaved.ts';
import { joinedScriptWords } from './joined-script-words.ts';
import { joinedWords } from './joined-words.ts';
import { leftOutVowels } from './left-out-vowels.ts';
import { markedHex } from './marked-hex.ts';
import { maskedScriptWords } from './masked-script-words.ts';
import { mistypedWords } from './mistyped-words.ts';
import { movedBlanks } from './moved-blanks.ts';
import { movedLetters } from './moved-letters.ts';
import { numberedWords } from './numbered-words.ts';
import { latinOnRussianKeys, otherLatinKeys, russianOnLatinKeys } from './other-keyboard.ts';
import { pdfStrings } from './pdf-strings.ts';
import { pigLatin } from './pig-latin.ts';
import { repeatedLetters } from './repeated-letters.ts';
import { backwards, backwardsWords, wordOrder } from './reversals.ts';
import { reversedLines } from './reversed-lines.ts';
import { reversedScripts, reversedScriptWords } from './reversed-scripts.ts';
import { rot47 } from './rot47.ts';
import { rotations } from './rotations.ts';
import { rtf } from './rtf.ts';
import { scrambledWords } from './scrambled-words.ts';
import { spellingAlphabet } from './spelling-alphabet.ts';
import { splitWords } from './split-words.ts';
import { texCodes } from './tex-codes.ts';
import { wordGames } from './word-games.ts';
import { wrappedLetters } from './wrapped-letters.ts';

/** Decoders whose shapes are searched for in one pass. */
export interface Together {
  readonly decoders: readonly Decoder[];
  /** None of their shapes can match in ASCII alone. */
  readonly beyondAscii?: boolean;
}

/**
 * RE2 reads a set of shapes by an automaton that it makes as it reads: a state for each combination of what may have
 * begun of all shapes at once. Where one shape begins at words and another anywhere, where one ends with its word and
 * another goes on over blanks, the states of both multiply, and text that is new is read at 1 MB/s for as long as it is
 * new. So shapes share a set with those that begin and end like them. Measured on text of many authors, which pairs make
 * few states together. Each further set is a pass over the text, at some 300 MB/s.
 */
export const SHAPES_TOGETHER: readonly Together[] = [
  // Strings that stand anywhere, also within words.
  { decoders: [...wordGames, ...otherLatinKeys, russianOnLatinKeys, rot47] },
  // Words by how they begin.
  {
    decoders: [
      ...rotations,
      backwards,
      backwardsWords,
      reversedLines,
      spellingAlphabet,
      gluedWords,
      leftOutVowels,
      repeatedLetters,
      movedLetters,
      numberedWords,
    ],
  },
  // Words of which some letters may be any.
  { decoders: [interleaved, scrambledWords, mistypedWords, base64Words, capitalsBetween] },
  // Words that go on over blanks and marks.
  { decoders: [movedBlanks, splitWords, wordOrder, joinedWords] },
  // What stands between words and around them, and codes that begin with a mark.
  {
    decoders: [
      filledWords,
      wrappedLetters,
      framedLetters,
      markedHex,
      bracketedCodes,
      encodedWords,
      rtf,
      texCodes,
      pdfStrings,
      compressed,
      charCalls,
      pigLatin,
    ],
  },
  {
    decoders: [
      maskedScriptWords,
      cutScriptWords,
      joinedScriptWords,
      reversedScripts,
      reversedScriptWords,
      fieldsOfScripts,
      latinOnRussianKeys,
    ],
    beyondAscii: true,
  },
];
