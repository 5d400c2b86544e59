import { isIP } from 'node:net';
import * as z from 'zod';
import { NAME, NAME_RULE } from '../domain/name.ts';
import { PUBLIC_KEY } from '../domain/public-key.ts';

/** A whole secret, or an address with a password in it. */
export type Secret = 'whole' | 'password';

/**
 * What a leaf of the configuration may hold, in words. Zod's own messages name the rule that was broken; an operator
 * needs the value that would be right, so every textual kind carries that sentence for messages and for the page.
 */
export const kinds = z.registry<{ readonly expects: string; readonly secret?: Secret }>();

/** What a key that may be absent comes to when it is, in words, where the schema has no value to show. */
export const fallbacks = z.registry<{ readonly fallback: string }>();

/** The proxy's own first path segments, the metrics label for "no upstream", and names that paths or objects treat specially. */
const RESERVED_NAMES = new Set([
  'check',
  'healthz',
  'readyz',
  'metrics',
  'none',
  '.',
  '..',
  '__proto__',
  'constructor',
]);

export function whole(min: number, max: number) {
  return z.int().min(min).max(max);
}

export function ratio() {
  return z.number().min(0).max(1);
}

/** An empty text is never a setting: it is a variable that someone forgot to fill. */
export function text(max: number, expects: string) {
  return z
    .string()
    .min(1, `expected ${expects}, found an empty text`)
    .max(max, `longer than ${max} characters`)
    .register(kinds, { expects });
}

/** Text that must hold to a rule; the message is the cure and never repeats the value, which may be a secret. */
export function textThat(holds: (value: string) => boolean, expects: string, max = 2048) {
  return z
    .string()
    .max(max, `longer than ${max} characters`)
    .refine(holds, { error: `expected ${expects}` })
    .register(kinds, { expects });
}

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
    // Looked for in the text and not in the parsed URL: an empty query or fragment leaves no trace there.
    !/[?#\s\\]/.test(value)
  );
}

/** WHATWG parsing repairs too much (`http:host`, backslashes), so the two slashes are asked for first. */
function parsed(value: string): URL | null {
  return /^[a-z]+:\/\/[^/]/i.test(value) && URL.canParse(value) ? new URL(value) : null;
}

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

/** One address and not a network: an exclusion for a whole network is a policy of its own, and upstreams have those. */
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

/** `Date` turns 31 February into March, so a day must survive the round trip. */
export function day() {
  return textThat((value) => {
    const date = new Date(`${value}T00:00:00Z`);
    return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === value;
  }, 'a day such as 2027-01-31');
}
