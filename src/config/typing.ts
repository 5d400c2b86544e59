import * as z from 'zod';
import { accepts, entryOf, inner, isList } from './shape.ts';

/**
 * Variables and flags are text, and only the place they are meant for says what the text means: `12345` is a number for
 * a port and a text for a key. Text that fits no reading is handed on as it is, so that the schema says what is wrong.
 */
export function typed(text: string, schema: z.core.$ZodType): unknown {
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

/** Lists are written as JSON or, the plain ones, with commas. */
function collection(text: string, place: z.core.$ZodType): unknown {
  if (text.startsWith('[') || text.startsWith('{')) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  const entry = isList(place) ? entryOf(place) : null;
  return entry === null ? text : text.split(',').map((item) => typed(item.trim(), entry));
}
