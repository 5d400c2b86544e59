import * as z from 'zod';
import { closest } from './suggest.ts';
import { kinds } from './kinds.ts';
import type { SecretKind } from './kinds.ts';

/** Queries on the schema itself: which keys a path has, and what it accepts, in words. */

type Schema = z.core.$ZodType;

/** The schema inside of defaults, optionals and nullables, which only concern absent values. */
export function inner(schema: Schema): Schema {
  let current = schema;
  while (
    current instanceof z.ZodDefault ||
    current instanceof z.ZodPrefault ||
    current instanceof z.ZodOptional ||
    current instanceof z.ZodNullable
  ) {
    current = current.def.innerType;
  }
  return current;
}

/** The keys of a closed section, or null if the schema is not a section. */
export function sectionOf(schema: Schema): Readonly<Record<string, Schema>> | null {
  const section = inner(schema);
  return section instanceof z.ZodObject ? section.shape : null;
}

/** The schema of each entry of a map or list, or null if the schema is neither. */
export function entryOf(schema: Schema): Schema | null {
  const holder = inner(schema);
  if (holder instanceof z.ZodRecord) return holder.def.valueType;
  return holder instanceof z.ZodArray ? holder.def.element : null;
}

export function isMap(schema: Schema): boolean {
  return inner(schema) instanceof z.ZodRecord;
}

export function isList(schema: Schema): boolean {
  return inner(schema) instanceof z.ZodArray;
}

export function secretOf(schema: Schema): SecretKind | null {
  return kinds.get(inner(schema))?.secret ?? null;
}

/** The schema at a path, or null if there is none. */
export function schemaAt(root: Schema, path: readonly PropertyKey[]): Schema | null {
  let current: Schema | null = root;
  for (const step of path) {
    if (current === null) return null;
    const section: Readonly<Record<string, Schema>> | null = sectionOf(current);
    current = section === null ? entryOf(current) : (own(section, step) ?? null);
  }
  return current;
}

/** Looks up an own key only: every object inherits `constructor`, and no configuration has it. */
export function own<Value>(table: Readonly<Record<string, Value>>, key: PropertyKey): Value | undefined {
  return Object.hasOwn(table, key) ? table[key as string] : undefined;
}

export function accepts(schema: Schema, value: unknown): boolean {
  return z.core.safeParse(schema, value).success;
}

/** What the schema accepts, in words: `'one of open, closed'`, `'a whole number from 0 to 65535'`. */
export function expectation(schema: Schema): string {
  const value = inner(schema);
  const said = kinds.get(value)?.expects;
  if (said !== undefined) return said;
  if (value instanceof z.ZodEnum) return `one of ${value.options.join(', ')}`;
  if (value instanceof z.ZodLiteral) return [...value.values].join(', ');
  if (value instanceof z.ZodBoolean) return 'true or false';
  if (value instanceof z.ZodNumber) {
    return `${value.format === 'safeint' ? 'a whole number' : 'a number'} from ${value.minValue} to ${value.maxValue}`;
  }
  if (value instanceof z.ZodUnion) return value.options.map(expectation).join(' or ');
  if (value instanceof z.ZodArray) return 'a list';
  if (value instanceof z.ZodObject || value instanceof z.ZodRecord) return 'a section of keys';
  return 'text';
}

export function unknownKey(key: string, known: readonly string[]): string {
  const meant = closest(key, known);
  if (meant !== null) return `unknown key; did you mean ${meant}?`;
  return `unknown key; known here: ${known.join(', ')}`;
}

/** A path in the notation that people use: `['auth', 'keys', 0, 'sha256'] -> 'auth.keys[0].sha256'`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : (index === 0 ? '' : '.') + shown(String(step))))
    .join('');
}

/** Keys and ids come from the author of the file: their length is bounded, and no control character reaches a terminal. */
export function shown(key: string): string {
  const plain = key.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > 64 ? `${plain.slice(0, 61)}...` : plain;
}
