import * as z from 'zod';
import { closest } from './suggest.ts';
import { expectation, schemaAt, unknownKey, sectionOf, inner } from './shape.ts';
import { SWITCHES } from './value-of-text.ts';

/** What is wrong with the setting at a path. */
export interface Complaint {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Words a validation issue as the value that would be right. It does not repeat text values, which may be secrets. */
export function complaintsOf(root: z.core.$ZodType, issue: z.core.$ZodIssue): Complaint[] {
  const at = schemaAt(root, issue.path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = Object.keys((at === null ? null : sectionOf(at)) ?? {});
      return issue.keys.map((key) => ({ path: [...issue.path, key], message: unknownKey(key, known) }));
    }
    case 'invalid_key':
      return issue.issues.map(({ message }) => ({ path: issue.path, message }));
    case 'custom':
    case 'invalid_format':
      return [{ path: issue.path, message: issue.message }];
    case 'too_small':
    case 'too_big':
      if (issue.origin === 'string') return [{ path: issue.path, message: issue.message }];
      if (issue.origin === 'array') return [{ path: issue.path, message: arrayLength(issue) }];
      break;
    default:
  }
  if (at === null) return [{ path: issue.path, message: issue.message }];
  if (issue.input === undefined) return [{ path: issue.path, message: `is needed: ${expectation(at)}` }];
  return [
    {
      path: issue.path,
      message: `expected ${expectation(at)}, found ${found(issue.input, inner(at))}${guess(at, issue.input)}`,
    },
  ];
}

function arrayLength(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): string {
  return issue.code === 'too_big'
    ? `more than ${issue.maximum} entries`
    : `expected at least ${issue.minimum} ${issue.minimum === 1 ? 'entry' : 'entries'}`;
}

/**
 * Describes the value that was found. A number is shown where a number belongs: it reveals no secret and tells by how
 * much it is off.
 */
function found(value: unknown, place: z.core.$ZodType): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a section of keys';
  if (typeof value === 'number' && place instanceof z.ZodNumber) return String(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return 'a number';
  // A word such as `yes` is no secret, and YAML 1.1 reads it as true or false.
  const meant = place instanceof z.ZodBoolean ? SWITCHES.get(value.toLowerCase()) : undefined;
  return meant === undefined ? 'text' : `the text ${value}; write ${meant}`;
}

function guess(schema: z.core.$ZodType, value: unknown): string {
  if (typeof value !== 'string') return '';
  const place = inner(schema);
  const options =
    'options' in place && Array.isArray(place.options) ? place.options.filter((each) => typeof each === 'string') : [];
  const meant = closest(value, options);
  return meant === null ? '' : `; did you mean ${meant}?`;
}
