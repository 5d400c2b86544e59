/**
 * What sets a secret apart from a placeholder. Random characters do not prove a secret, and no list of words is
 * complete. But text that lacks variety, or holds such words, is one that somebody typed to show a form.
 */

/**
 * Entropy in bits per character of this text: 32 random hexadecimal digits come to about 3.6, an English word to 2.5.
 */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Words that documentation writes in place of a secret. Not `test`: a key to a test account opens that account. */
const STAND_INS =
  /example|sample|placeholder|redacted|replace[-_]?(?:me|with|this)|change[-_]?(?:me|it|this)|dummy|insert[-_]|your[-_]?[a-z]|[-_]here\b|(?:my|the|some|any|put)[-_](?:api|secret|access|token|key|pass)|<[a-z]|xxxx|\.\.|\*\*\*|####|todo|foobar|lorem/i;

/**
 * From the first half of the keys of Azurite and of the emulator of Cosmos DB, which open nothing but what runs on the reader's
 * own machine. Not of cards and accounts that are published for tests: nothing but their number tells them from others.
 */
const PUBLISHED = /FlqUwJPLlmEtlCDXJ1OUzFT50|VRDJIWEHLM\+4QDU5DE2nQ9nDu/;

const LONGEST_HONEST_RUN = 3;

/** Whether somebody typed it to show where the secret goes, or it is published for everybody. */
export function isStandIn(text: string): boolean {
  return STAND_INS.test(text) || PUBLISHED.test(text) || repeatedShare(text) >= 0.35;
}

/** The share of the text that is one character over and over. */
function repeatedShare(text: string): number {
  let repeated = 0;
  let run = 1;
  for (let i = 1; i <= text.length; i++) {
    if (text[i] === text[i - 1]) {
      run += 1;
      continue;
    }
    if (run > LONGEST_HONEST_RUN) repeated += run;
    run = 1;
  }
  return repeated / Math.max(1, text.length);
}

const LEAST_ENTROPY = 2.8;

const LEAST_RUN = 6;

/**
 * Whether a value behind the prefix of a service is a token. The prefix says most of it, so only what nobody draws at
 * random is turned down.
 */
export function isToken(text: string): boolean {
  const runs = text.match(/[A-Za-z0-9]+/g) ?? [];
  return (
    runs.some((run) => run.length >= LEAST_RUN && isMixed(run)) && entropyOf(text) >= LEAST_ENTROPY && !isStandIn(text)
  );
}

function isMixed(run: string): boolean {
  // One in thirty random keys in base32 consists of capitals alone.
  if (/^[A-Z]{16,}$/.test(run)) return entropyOf(run) >= 3;
  return /[0-9]/.test(run) ? /[A-Za-z]/.test(run) : /[a-z]/.test(run) && /[A-Z]/.test(run);
}

/** Code that fetches or names a secret, where the secret itself would stand. */
const REFERENCE =
  /^[$<{[%@#&!]|[()[\]{}<>;]|\$\{|\{\{|::|->|^(?:process|os|env|config|settings|self|this|var|local|data|secrets|params?|args|req|ctx|options|props|values?)\.|^\/|^\.{1,2}\/|^https?:|^file:|^arn:|^projects\/|^(?:op|vault|sm|ssm|gcpsm|awssm|keyvault|secretsmanager):/i;
const IDENTIFIER = /^[A-Za-z_$][\w$]*(?:[.\-/][A-Za-z_$][\w$]*)+$/;
const NO_SECRET =
  /^(?:true|false|null|none|undefined|nil|string|required|optional|password\d*|passw0rd|secret\d*|token\d*|admin\d*|root|test\d*|user\d*|guest|default|enabled|disabled|yes|no|postgres|mysql|md5|sha\d+|base64|utf-?8|oauth2?)$/i;

/** A host, an address, a file or the name of a build: dotted or dashed words with numbers in them. */
const NAME =
  /^(?:[a-z0-9-]+\.)+[a-z]{2,}$|^(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev)\/|^[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$|^[\w-]+(?:\/[\w.-]+)+\.[a-z][a-z0-9]{1,4}$|^(?:[a-z]+\d{0,2}[-_.])+v?\d[\d.]*(?:-[a-z]+)?$|^[A-Za-z]\w{0,11}(?:\.[A-Za-z_]+)+$/i;

/**
 * Whether a value that is assigned to a secret's name is a secret. Without a prefix of its own, it has to look random
 * and not written.
 */
export function isAssignedSecret(value: string): boolean {
  if (value.length < 16 || isStandIn(value) || REFERENCE.test(value) || NO_SECRET.test(value) || NAME.test(value))
    return false;
  if (!/[0-9]/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (IDENTIFIER.test(value) && digitsIn(value) < 4) return false;
  return entropyOf(value) >= (value.length < 24 ? 3.0 : 3.2);
}

/** The same where a password stands by itself, which may have any sign in it: only what is whole is taken for code. */
const WHOLE_REFERENCE =
  /^\$[A-Za-z_{(]|\$\{|\{\{|^%\w+%?$|<[a-z][^>]*>|^\{[^}]*\}$|^[a-z_.]+[([].*[)\]]|^\.{0,2}\/[\w.-]+\/|^https?:|^(?:process|os|env)\./i;

const WORDS =
  /^[a-z]+$|^[A-Z]+$|^[A-Z][a-z]+$|^[\d.,:]+$|^[A-Za-z]+(?:[-_.][A-Za-z]+)+$|^[A-Za-z][a-z]*(?:[A-Z][a-z]+)+$|^[A-Za-z]+(?:[ ,.']{1,2}[A-Za-z]+)+[.!?]?$/;

/**
 * Whether a value is a password. These are short and made up, so all that can be asked is that it is no word, no
 * reference and no placeholder.
 */
export function isPassword(value: string): boolean {
  return isMadeUp(value) && !REFERENCE.test(value);
}

/** The same behind a flag or the name in a login, where code would not stand. */
export function isTypedPassword(value: string): boolean {
  return isMadeUp(value) && !WHOLE_REFERENCE.test(value);
}

function isMadeUp(value: string): boolean {
  if (value.length < 6 || isStandIn(value) || NO_SECRET.test(value) || WORDS.test(value)) return false;
  return new Set(value).size >= 4;
}

function digitsIn(text: string): number {
  return text.replace(/\D/g, '').length;
}
