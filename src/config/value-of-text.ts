import * as z from 'zod';
import { accepts, entryOf, inner, isList } from './shape.ts';

/**
 * Converts the text of a variable or flag to the type of its setting: `12345` is a number for a port and text for a
 * key. Text that does not fit is returned as it is, so that the schema reports the problem.
 */
export function valueOfText(text: string, schema: z.core.$ZodType): unknown {
  const place = inner(schema);
  if (place instanceof z.ZodNumber) return NUMBER.test(text.trim()) ? Number(text) : text;
  if (place instanceof z.ZodBoolean) return SWITCHES.get(text.trim().toLowerCase()) ?? text;
  if (place instanceof z.ZodEnum) return word(text, place);
  if (isList(place) || place instanceof z.ZodObject || place instanceof z.ZodRecord)
    return collection(text.trim(), place);
  if (place instanceof z.ZodUnion && !accepts(place, text))
    return NUMBER.test(text.trim()) ? Number(text) : word(text, place);
  return text;
}

/**
 * One of the words that the setting takes, in any letter case: in variables many write INFO. `warning` is what several
 * languages call the log level `warn`.
 */
function word(text: string, place: z.core.$ZodType): string {
  const lower = text.trim().toLowerCase();
  return [lower, lower.replace(/^warning$/, 'warn')].find((each) => accepts(place, each)) ?? text;
}

const NUMBER = /^[-+]?(\d+(\.\d*)?|\.\d+)$/;
/** The words for true and false in variables and flags, in lower case. */
export const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', 'y', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', 'n', '0'].map((word) => [word, false] as const),
]);

/** Lists are written as JSON, or as comma-separated text if their entries are simple: `a,b -> ['a', 'b']`. */
function collection(text: string, place: z.core.$ZodType): unknown {
  if (text.startsWith('[') || text.startsWith('{')) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  const entry = isList(place) ? entryOf(place) : null;
  return entry === null ? text : text.split(',').map((item) => valueOfText(item.trim(), entry));
}
