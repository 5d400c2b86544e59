import type * as z from 'zod';
import type { Config } from './config.ts';
import { schema } from './schema.ts';
import { entryOf, own, secretOf, sectionOf } from './shape.ts';

const MASKED = '***';

/**
 * The configuration without secrets, for display. The schema marks what is secret, so a new secret setting is masked
 * from the start.
 */
export function masked(config: Config): unknown {
  return cover(config, schema);
}

/** The depth of the schema bounds the recursion. */
function cover(value: unknown, at: z.core.$ZodType): unknown {
  const secret = secretOf(at);
  if (secret !== null && typeof value === 'string') return secret === 'whole' ? MASKED : withoutPassword(value);
  if (typeof value !== 'object' || value === null) return value;
  const entry = entryOf(at);
  if (Array.isArray(value)) return value.map((item) => (entry === null ? item : cover(item, entry)));
  const section = sectionOf(at);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, unknown]) => {
      const under = section === null ? entry : own(section, key);
      return [key, under === null || under === undefined ? each : cover(each, under)];
    }),
  );
}

/** Masks the user name as well: in some schemes a token is given there. */
function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.password === '' && url.username === '') return address;
  if (url.password !== '') url.password = MASKED;
  if (url.username !== '') url.username = MASKED;
  return url.href;
}
