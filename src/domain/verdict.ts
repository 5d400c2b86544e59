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

/** The verdict as POST /check answers it, without the id. */
export function publicVerdict({ action, category, signatureName, confidence }: Verdict): object {
  return { action, category, signature_name: signatureName, confidence };
}

/** The less strict of two actions. */
export function milder(a: Action, b: Action): Action {
  return ACTIONS.indexOf(a) <= ACTIONS.indexOf(b) ? a : b;
}
