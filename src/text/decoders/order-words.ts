import { FOREIGN_WORDS } from '../foreign-words.ts';

/**
 * Words for what attacks demand and for what they demand it of. They tell where words from many places may be an order
 * when read together. Words that are as common in harmless programs count half.
 */
/** The kinds of words, as bits. Both may be set. */
export const ACT = 1;
export const OBJECT = 2;
/** The weight of a word is a multiple of this, above the bits of its kind. */
export const WEIGHT = 4;

const WORDS = [
  [
    (2 * WEIGHT) | ACT,
    'ignore disregard forget bypass override overwrite neglect discard disobey reveal disclose leak pretend exfiltrate',
  ],
  [
    WEIGHT | ACT,
    'print repeat show display tell output give send forward share execute delete act follow obey stop answer become',
  ],
  [WEIGHT | ACT, 'unlock disable upload'],
  [(2 * WEIGHT) | OBJECT, 'jailbreak dan unrestricted unfiltered uncensored'],
  [WEIGHT | OBJECT, 'previous prior preceding earlier above before initial original everything anything verbatim'],
  [
    WEIGHT | OBJECT,
    'instruction instructions directive directives directions prompt prompts system rules rule policy policies',
  ],
  [
    WEIGHT | OBJECT,
    'guidelines guardrails safety filter filters limitations restriction restrictions ethics ethical censorship',
  ],
  [WEIGHT | OBJECT, 'password passwords secret secrets credentials confidential hidden keys emails files database'],
  [
    WEIGHT | OBJECT,
    'developer administrator assistant persona mode without longer applies refuse refuses refusals warnings disclaimers',
  ],
] as const;

export const ORDER_WORDS: ReadonlyMap<string, number> = new Map([
  ...FOREIGN_WORDS.map((word) => [word, WEIGHT | ACT | OBJECT] as const),
  ...WORDS.flatMap(([meaning, words]) => words.split(' ').map((word) => [word, meaning] as const)),
]);
