import { refuse, type Refusal } from './refusal.ts';
import type { Outcome } from './job.ts';

/** What can be wrong with a body of POST /check, in the order in which it is looked at (7.4). */
const FAULTS = {
  'not-json': refuse('invalid_json'),
  'not-object': refuse('invalid_request'),
  'no-text': refuse('invalid_request', { message: 'Missing required field: text' }),
  'text-type': refuse('invalid_request', { message: "Field 'text' must be a string" }),
  'texts-type': refuse('invalid_request', { message: "Field 'texts' must be an array of strings" }),
  'texts-count': refuse('invalid_request', { message: "Field 'texts' must hold 1 to 256 strings" }),
  'messages-type': refuse('invalid_request', { message: "Field 'messages' must be an array of objects" }),
} satisfies Record<string, Refusal>;

export type CheckFault = keyof typeof FAULTS;

export const MAX_TEXTS = 256;

/** One outcome per text; `many` answers with a list even when there is one. */
export type Checked =
  | { readonly kind: 'checked'; readonly many: boolean; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'invalid'; readonly fault: CheckFault };

export function checkRefusal(fault: CheckFault): Refusal {
  return FAULTS[fault];
}
