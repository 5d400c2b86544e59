import * as z from 'zod';
import { accepts, entryOf, inner, isList } from './shape.ts';

/**
 * Converts the text of a variable or flag to the type of its setting: `12345` is a number for a port and text for a
 * key. Text that does not fit is returned as it is, so that the schema reports the problem.
 */
export function valueOfText(text: string, schema: z.core.$ZodType): unknown {
  const place = inner(schema);
  if (place instanceof z.ZodNumber) return NUMBER.test(text.trim()) ? Number(text) : text;
  if (place instanceof z.ZodBoolean) return BOOLEANS.get(text.trim()) ?? text;
  if (isList(place) || place instanceof z.ZodObject || place instanceof z.ZodRecord)
    return collection(text.trim(), place);
  if (place instanceof z.ZodUnion && !accepts(place, text) && NUMBER.test(text.trim())) return Number(text);
  return text;
}

const NUMBER = /^[-+]?(\d+(\.\d*)?|\.\d+)$/;
const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
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
