import { EVERYDAY_WORDS } from '../text/everyday-words.ts';

/** What an ending makes into something to obey. */
const OTHERWISE: ReadonlySet<string> = new Set(['orders', 'terms']);

const MOST_BYTES = 320;
const ORDINARY = /^[a-z0-9\s.,;:!?'’()&%-]*$/i;
const WORD = /[a-z]+|\d+/gi;
/** A page, an hour, a year: not a telephone number, nor one of an account. */
const MOST_DIGITS = 4;
/** Of people, never at the beginning of a sentence, where any word is written like one, nor where a verb may stand. */
const NAME =
  /(?<=\b(?:to|with|from|by|for|in|at|ask|tell|let|hi|hello|hey|dear|thanks|mr|ms|mrs|dr|regards|cheers),? )[A-Z][a-z]{1,11}\b/g;
/** Models, and what the list has no word for. */
const NO_PERSONS =
  /^(?:accounts?|balances?|bitcoins?|codes?|commands?|credentials?|instructions?|keys?|links?|money|passwords?|payments?|prompts?|rules?|salaries|scripts?|secrets?|systems?|tokens?|urls?|ai|gpt|chat\w*|claude|gemini|gemma|copilot|siri|alexa|cortana|grok|mistral|llama|bard|qwen|assistants?|agents?|bots?|models?)$/i;

/**
 * "Please rerun the nightly tests and attach the report": what people ask of each other is worded like an order that was
 * planted for a model. Mails, tickets and notices are full of it. So a text is no attack when all of its words are of
 * one list, of offices, workshops and schools: with them nobody can name a model, its orders, an address, a secret,
 * money, a command, or what should be kept from somebody. Refused: to lower the score of texts that only lack such
 * words: attackers find others.
 *
 * This tells whether `bytes[from..to)`, a whole text, is such an errand.
 */
export function isErrand(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > MOST_BYTES) return false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8');
  if (!ORDINARY.test(text)) return false;
  const nameless = text.replace(NAME, (name) => (NO_PERSONS.test(name) ? name : ''));
  return (nameless.match(WORD) ?? []).every((word) => isListed(word.toLowerCase()) || isSmallNumber(word));
}

/** The endings of English words that are listed without. */
const ENDINGS = ['s', 'es', 'ed', 'd', 'ing', 'ly'];

function isListed(word: string): boolean {
  return (
    EVERYDAY_WORDS.has(word) ||
    (!OTHERWISE.has(word) && ENDINGS.some((ending) => word.endsWith(ending) && isStem(word, ending)))
  );
}

function isStem(word: string, ending: string): boolean {
  const stem = word.slice(0, -ending.length);
  return stem.length > 2 && (EVERYDAY_WORDS.has(stem) || (ending === 'ing' && EVERYDAY_WORDS.has(`${stem}e`)));
}

function isSmallNumber(word: string): boolean {
  return word.length <= MOST_DIGITS && /^\d/.test(word);
}
