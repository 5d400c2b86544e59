import { isAssignedSecret, isPassword, isStandIn, isToken, isTypedPassword } from './secret-shape.ts';

/** Secrets have no check digit, so these judge the look of the value and what stands around it. */

export const token = isToken;

/**
 * What stands behind the first separator of `name = value`, `name: "value"`, `"name": "value"`; else the last word, as
 * in `Bearer value`.
 */
function valueOf(match: string): string {
  const assigned = /^[^:=]*?(?:[:=]{1,3}>?|,)\s*[\\"'`({]*\s*([^\s"'`\\]+)/.exec(match);
  return (assigned?.[1] ?? /([^\s"'`\\]+)["'`\\]*$/.exec(match)?.[1] ?? '').replace(/[,;)}]+$/, '');
}

function lastWordOf(match: string): string {
  return /([^\s"'`\\]+)["'`\\]*$/.exec(match)?.[1] ?? '';
}

/** The value in a match of one of these checks, without its name; null for all others. */
export function valueOfCheck(check: string | undefined, match: string): string | null {
  switch (check) {
    case 'assigned-secret':
    case 'password':
      return valueOf(match);
    case 'named-secret':
      return namedValueOf(match);
    case 'labelled-secret':
      return labelledValueOf(match);
    case 'header-secret':
      return headerValueOf(match);
    case 'last-password':
      return lastPasswordOf(match);
    case 'basic-header':
      return lastWordOf(match);
    case 'settings-password':
      return settingsValueOf(match);
    case 'login-pair':
      return loginSecretOf(match);
    case 'login-line':
      return lineSecretOf(match);
    default:
      return null;
  }
}

/** Names of keys and tokens that everybody may see, and of what goes with a secret but is none. */
const OPEN_NAME =
  /public|publishable|primary|foreign|cache|sort|partition|csrf|xsrf|authenticity|idempotency|websocket|site[-_ ]?key|page[-_ ]?token|continuation|\b(?:rsa|dsa|gpg|recv|restored from|saved with)[ _-]key|nonce|etag|hash|checksum|digest|integrity|vault|source|tokenizer|policy|secret[-_ ]?version|(?:_|[a-z])id["'`\\\]]*\s*[:=]|length|size\b/i;

/** `api_key = ...`: the value itself must look drawn at random. */
export function assignedSecret(match: string): boolean {
  const value = valueOf(match);
  return isAssignedSecret(value) && !OPEN_NAME.test(match.slice(0, match.lastIndexOf(value)));
}

/** A service is named beside the value, so that a shorter or plainer value is enough. */
export function namedSecret(match: string): boolean {
  const value = namedValueOf(match);
  const name = match.slice(0, match.lastIndexOf(value));
  if (OPEN_NAME.test(name) || (UUID.test(value) && /^key\W*$/i.test(name))) return false;
  return (
    value.length >= 10 &&
    /[0-9]/.test(value) &&
    /[A-Za-z]/.test(value) &&
    isToken(value.slice(-80)) &&
    !isHeadline(value)
  );
}

/** Behind a bare `key` it is that of a row in a table. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function namedValueOf(match: string): string {
  return lastWordOf(match).replace(/^[A-Za-z_.]*(?:[:=]+>?|-(?=[0-9a-f]{8}))/i, '');
}

/** `get-started-2024`, `usr/share/x11`: words and a number, joined for an address. */
function isHeadline(value: string): boolean {
  if (/(?:^|\/)[a-z]{3,}\//.test(value)) return true;
  return /^[a-z]+(?:[-_.][a-z0-9]{1,12})+$/i.test(value) && value.replace(/\D/g, '').length < 6;
}

/** `Authorization: Bearer value`, `X-Api-Key: value`. */
export function headerSecret(match: string): boolean {
  return isAssignedSecret(headerValueOf(match)) && !/^(?:x-)?(?:csrf|xsrf)/i.test(match);
}

function headerValueOf(match: string): string {
  return lastWordOf(match).replace(/^[^:,]*[:,]/, '');
}

/** `Server=...;User Id=...;Password=value`. */
export function settingsPassword(match: string): boolean {
  return isTypedPassword(settingsValueOf(match));
}

function settingsValueOf(match: string): string {
  return /(?:password|passwd|pwd|pass)\s?=\s?["']?([^]*?)["'\\]*$/i.exec(match)?.[1] ?? '';
}

export function password(match: string): boolean {
  return isPassword(valueOf(match));
}

/** The last word is the password, or what stands in quotes there. */
export function lastPassword(match: string): boolean {
  const secret = lastPasswordOf(match);
  return !MANUAL.test(secret) && isTypedPassword(secret);
}

/** Behind the flag or the word that says so: `-pvalue`, `-p value`, `--password=value`, `password value`. */
function lastPasswordOf(match: string): string {
  return /(?:\s-[pa]|--pass(?:word|wd)?|password)[=\s]{0,4}["']?([^]*?)["'\\]*$/i.exec(match)?.[1] ?? '';
}

/** `host:port:database:user:password`, as PostgreSQL keeps them in a file. */
export function loginLine(match: string): boolean {
  const secret = lineSecretOf(match);
  return !MANUAL.test(secret) && isTypedPassword(secret);
}

function lineSecretOf(match: string): string {
  return match.split(':').slice(4).join(':');
}

/** Passwords of the manuals, which stand in every tutorial's connection string. */
const MANUAL =
  /^(?:p(?:ass)?w(?:or)?d|pass(?:word)?|secret|user(?:name)?|test|guest|postgres|root|admin|mysql|mongo|redis|example|changeme|token|api_?key|tiger|open ?sesame|(?:my|some|your|random|strong|secure)[-_]?(?:secret|strong|secure|super|root|db|user)?[-_]?(?:secret|pass(?:word)?|p(?:ass)?wd?)|(?:d1fficult)?p[a4@]ssw[o0]rd|x+|\*+|\.+)\d{0,3}$/i;

/** `scheme://user:password@host`, where the password is no placeholder. */
export function urlCredentials(match: string): boolean {
  const rest = match.slice(match.indexOf('://') + 3);
  const login = rest.slice(0, rest.lastIndexOf('@'));
  const secret = login.slice(login.indexOf(':') + 1);
  if (secret === '' || MANUAL.test(secret.replaceAll('%40', '@')) || isStandIn(secret)) return false;
  // A port and a path, in which an `@` stands further on.
  if (/^\d{1,5}\//.test(secret)) return false;
  // `airflow:airflow`: what containers of tutorials are called and opened with.
  if (/^[a-z]+$/.test(secret) && login === `${secret}:${secret}`) return false;
  return (
    !/^\$|\$[{(]|^%|%[sd({]|[{}<>[\]]/.test(secret.replace(/%[0-9a-f]{2}/gi, '')) &&
    !/^[A-Z][A-Z_]+$/.test(secret) &&
    !/[/?#]/.test(login.split(':')[0] ?? '')
  );
}

/** `-u name:password` of a command line. */
export function loginPair(match: string): boolean {
  const secret = loginSecretOf(match);
  return !MANUAL.test(secret) && isTypedPassword(secret) && !/^\d+$/.test(secret);
}

function loginSecretOf(match: string): string {
  return /:["'{]{0,2}([^]+?)["'}\\]{0,2}$/.exec(match)?.[1] ?? '';
}

/** The signature of the sample that the best-known debugger for such tokens shows. */
const SAMPLE_SIGNATURE = 'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';

/**
 * How its other samples begin, in which John Doe signs in with the shortest algorithm, and that of the standard. A match
 * may end before their signatures.
 */
const SAMPLE =
  /^eyJ(?:hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9\.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiYWRtaW4iOnRydWUs|0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9\.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkz)/;

/** The header of a JSON web token names its algorithm. The sample is spared. */
export function jsonWebToken(match: string): boolean {
  const [header = '', payload = ''] = match.split('.');
  if (match.includes(SAMPLE_SIGNATURE) || SAMPLE.test(match) || isStandIn(match)) return false;
  return Buffer.from(header.slice(0, 512), 'base64url').toString('latin1').includes('"alg"') && payload.length > 0;
}

/** `Authorization: Basic ...` that decodes to a name and a password. */
export function basicHeader(match: string): boolean {
  const [name = '', ...secret] = Buffer.from(lastWordOf(match), 'base64').toString('latin1').split(':');
  return (
    secret.length > 0 &&
    /^[\x20-\x7e]+$/.test(name + secret.join(':')) &&
    !MANUAL.test(secret.join(':')) &&
    !isStandIn(secret.join(':'))
  );
}

/** A value in a table, in markup, or behind its type: it is the last word, whatever stands between it and its name. */
export function labelledSecret(match: string): boolean {
  const value = labelledValueOf(match);
  return isAssignedSecret(value) && !OPEN_NAME.test(match.slice(0, match.lastIndexOf(value)));
}

function labelledValueOf(match: string): string {
  return /[^\s"'`*|>(\\]+$/.exec(match)?.[0] ?? '';
}

const FEWEST_KINDS = 6;

/** A key's body follows its first line; a sentence about keys, or dots, does not make one. */
export function privateKey(match: string): boolean {
  const short = /([A-Za-z0-9+/]+)={0,2}[^A-Za-z0-9+/=]+(?:[rn][^A-Za-z0-9+/=]+)*-----END$/.exec(match)?.[1];
  if (short !== undefined)
    return /[A-Z]/.test(short) && /[a-z0-9]/.test(short) && new Set(short).size >= FEWEST_KINDS && !isStandIn(short);
  const body = /([A-Za-z0-9+/=]{16,})$/.exec(match)?.[1];
  return body === undefined || new Set(body).size >= FEWEST_KINDS;
}
