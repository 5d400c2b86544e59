import { refuse } from '../../domain/refusal.ts';
import { parsedJson } from '../parsed-json.ts';
import type { Done } from './admin.ts';
import type { Reply } from './listen.ts';

/**
 * Helpers to read fields from a request and to build answers. A field of the wrong type becomes a value that every
 * check refuses.
 */

export function ok(value: unknown): Reply {
  return { status: 200, json: value };
}

/** Answers with the result of a change, or with the reason why it was refused. */
export function done<Value>(result: Done<Value>, status = 200): Reply {
  return 'fault' in result ? invalid(result.fault) : { status, json: result.value ?? {} };
}

export function invalid(message: string): Reply {
  return refuse('invalid_request', { message });
}

/** The fields of a JSON object; none if the body is something else. */
export function fields(body: Buffer): Readonly<Record<string, unknown>> {
  const value = parsedJson(body);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The text, or '' when the value is not text or contains NUL, which the database cannot store. */
export function text(value: unknown): string {
  return typeof value === 'string' && !value.includes('\0') ? value : '';
}

export function number(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value) <= 2_147_483_647 ? value : -1;
}

/** Parses a whole number in a range; null if the value is anything else. */
export function whole(value: string | null, least: number, most: number): number | null {
  const given = value === null || !/^\d{1,10}$/.test(value) ? NaN : Number(value);
  return given >= least && given <= most ? given : null;
}
