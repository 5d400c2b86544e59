/** Actions, categories, and the verdict that combines them. */

/** From the mildest to the strictest. The index is the rank. */
export const ACTIONS = ['allow', 'log', 'warn', 'block'] as const;
export type Action = (typeof ACTIONS)[number];

export const CATEGORIES = ['prompt-injection', 'jailbreak', 'encoding-evasion', 'sensitive-data'] as const;
export type Category = (typeof CATEGORIES)[number];

/**
 * The result of one scan. The signature's id is for the operator's log: what a sender is told leaves it out, so as
 * not to teach an attacker.
 */
export interface Verdict {
  readonly action: Action;
  readonly category: Category | null;
  readonly signatureName: string | null;
  /** The id to put into an exclusion. */
  readonly signatureId: string | null;
  readonly confidence: number;
}

export const CLEAN: Verdict = {
  action: 'allow',
  category: null,
  signatureName: null,
  signatureId: null,
  confidence: 0,
};

/** What may be told of a verdict: all but the id. */
export function publicVerdict({ action, category, signatureName, confidence }: Verdict): object {
  return { action, category, signature_name: signatureName, confidence };
}

/**
 * The verdict as POST /check answers it. JSON.stringify writes 0.0 as 0, which many parsers read as an integer; the
 * field is a float, so a whole number keeps its point.
 */
export function verdictJson(verdict: Verdict): string {
  const json = JSON.stringify(publicVerdict(verdict));
  return Number.isInteger(verdict.confidence) ? `${json.slice(0, -1)}.0}` : json;
}

/** The less strict of two actions. */
export function milder(a: Action, b: Action): Action {
  return ACTIONS.indexOf(a) <= ACTIONS.indexOf(b) ? a : b;
}
