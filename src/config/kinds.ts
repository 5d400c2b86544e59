import { isIP } from 'node:net';
import * as z from 'zod';
import { NAME, NAME_RULE } from '../domain/name.ts';
import { OWN_PATHS } from '../domain/own-paths.ts';
import { PUBLIC_KEY } from '../domain/public-key.ts';

/** Whether a value is secret as a whole, or is an address that contains a password. */
export type SecretKind = 'whole' | 'password';

/**
 * What a setting may hold, in words. Zod's own messages name the rule that was broken, but an operator needs to know
 * which value would be right. So every kind of text has such a sentence, used in error messages and in the
 * documentation.
 */
export const kinds = z.registry<{ readonly expects: string; readonly secret?: SecretKind }>();

/** What an optional key defaults to, in words, where the schema has no default value to show. */
export const fallbacks = z.registry<{ readonly fallback: string }>();

/**
 * The proxy's own first path segments, the metrics label for "no upstream", and names that are special in objects.
 */
const RESERVED_NAMES = new Set([
  ...OWN_PATHS.map((path) => path.slice(1)),
  'metrics',
  'none',
  '__proto__',
  'constructor',
]);

export function whole(min: number, max: number) {
  return z.int().min(min).max(max);
}

export function ratio() {
  return z.number().min(0).max(1);
}

/** Non-empty text. An empty setting is most likely a variable that nobody filled in. */
export function text(max: number, expects: string) {
  return z
    .string()
    .min(1, `expected ${expects}, found an empty text`)
    .max(max, `longer than ${max} characters`)
    .register(kinds, { expects });
}

/**
 * Text for which the predicate must hold. The message says what is expected and never repeats the value, which may be
 * a secret.
 */
export function textThat(holds: (value: string) => boolean, expects: string, max = 2048) {
  return z
    .string()
    .max(max, `longer than ${max} characters`)
    .refine(holds, { error: `expected ${expects}` })
    .register(kinds, { expects });
}

/** The name of an upstream, which is the first segment of the path of its calls. */
export function prefixName() {
  return z.string().superRefine((name, context) => {
    if (!NAME.test(name)) {
      context.addIssue(`a name becomes the first segment of a path: ${NAME_RULE}`);
    } else if (RESERVED_NAMES.has(name)) {
      context.addIssue('this name is taken by the proxy itself; choose another');
    }
  });
}

export function httpUrl() {
  return textThat(isHttpUrl, 'an http or https URL without user, password, query or fragment');
}

function isHttpUrl(value: string): boolean {
  const url = parsed(value);
  return (
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.username === '' &&
    url.password === '' &&
    // Checked in the text, because the parsed URL does not show an empty query or fragment.
    !/[?#\s\\]/.test(value)
  );
}

/** Parses a URL that has `//`. WHATWG parsing alone accepts too much, such as `http:host` and backslashes. */
function parsed(value: string): URL | null {
  return /^[a-z]+:\/\/[^/]/i.test(value) && URL.canParse(value) ? new URL(value) : null;
}

/** `memory`, or the URL of a Redis server. */
export function storeUrl() {
  return textThat(
    (value) => value === 'memory' || isRedisUrl(value),
    'memory, or redis://[user:password@]host:port/number (rediss:// for TLS)',
  );
}

function isRedisUrl(value: string): boolean {
  const url = parsed(value);
  return (
    url !== null &&
    (url.protocol === 'redis:' || url.protocol === 'rediss:') &&
    url.hostname !== '' &&
    /^(\/\d{0,4})?$/.test(url.pathname) &&
    !/[?#\s]/.test(value)
  );
}

export function network() {
  return textThat(isNetwork, 'an IP address or a network such as 10.0.0.0/8 or fd00::/8');
}

/** A single address, not a network: excluding a whole network is a policy of its own, which upstreams have. */
export function address() {
  return textThat((value) => isIP(value) !== 0 && !value.includes('%'), 'an IP address');
}

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...more] = value.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0 || address.includes('%')) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

export function publicKey() {
  return textThat((value) => PUBLIC_KEY.test(value), 'a public key such as `guard signatures keygen` prints');
}

/** A calendar day. `Date` turns 31 February into March, so the day must survive a round trip. */
export function day() {
  return textThat((value) => {
    const date = new Date(`${value}T00:00:00Z`);
    return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === value;
  }, 'a day such as 2027-01-31');
}
