import { refuse, type Refusal } from './refusal.ts';
import type { Outcome } from './job.ts';
import { isJsonObject } from './json-object.ts';
import { verdictJson, type Verdict } from './verdict.ts';

/** The errors of a body of POST /check, in the order in which they are checked. */
const FAULTS = {
  'not-json': refuse('invalid_json'),
  'not-object': refuse('invalid_request'),
  'no-text': refuse('invalid_request', { message: 'Missing required field: text' }),
  'text-type': refuse('invalid_request', { message: "Field 'text' must be a string" }),
  'texts-type': refuse('invalid_request', { message: "Field 'texts' must be an array of strings" }),
  'texts-count': refuse('invalid_request', { message: "Field 'texts' must hold 1 to 256 strings" }),
  'messages-type': refuse('invalid_request', { message: "Field 'messages' must be an array of objects" }),
  'messages-count': refuse('invalid_request', { message: "Field 'messages' must hold at least one message" }),
} satisfies Record<string, Refusal>;

export type CheckFault = keyof typeof FAULTS;

const MAX_TEXTS = 256;

/** A parsed body of POST /check. */
export type CheckRequest =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  | { readonly kind: 'messages'; readonly messages: readonly object[] }
  | { readonly kind: 'invalid'; readonly fault: CheckFault };

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Parses and validates a body of POST /check, which has one of `text`, `texts` and `messages`. */
export function parseCheck(bytes: Uint8Array): CheckRequest {
  let body: unknown;
  try {
    body = JSON.parse(UTF8.decode(bytes));
  } catch {
    return invalid('not-json');
  }
  if (!isJsonObject(body)) return invalid('not-object');
  const { text, texts, messages } = body;
  if (text !== undefined) return typeof text === 'string' ? { kind: 'text', text } : invalid('text-type');
  if (texts !== undefined) {
    if (!Array.isArray(texts) || !texts.every((each): each is string => typeof each === 'string'))
      return invalid('texts-type');
    if (texts.length === 0 || texts.length > MAX_TEXTS) return invalid('texts-count');
    return { kind: 'texts', texts };
  }
  if (messages !== undefined) {
    if (!Array.isArray(messages) || !messages.every(isJsonObject)) return invalid('messages-type');
    if (messages.length === 0) return invalid('messages-count');
    return { kind: 'messages', messages };
  }
  return invalid('no-text');
}

function invalid(fault: CheckFault): CheckRequest {
  return { kind: 'invalid', fault };
}

/**
 * The result of POST /check: one outcome per text. `isList` makes the answer a list even when there is only one text.
 */
export type CheckOutcome =
  | { readonly kind: 'checked'; readonly isList: boolean; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'invalid'; readonly fault: CheckFault };

/** The body of the answer: the verdict, or one for each text of a list. */
export function checkAnswer(verdicts: readonly Verdict[], isList: boolean): string {
  return isList ? `{"results":[${verdicts.map(verdictJson).join(',')}]}` : verdictJson(verdicts[0]!);
}

export function checkRefusal(fault: CheckFault): Refusal {
  return FAULTS[fault];
}
