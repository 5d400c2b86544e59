/** What is found, what is done about it, and the answer that says both. */

/** From the mildest to the strictest; the index is the rank. */
export const ACTIONS = ['allow', 'log', 'warn', 'block'] as const;
export type Action = (typeof ACTIONS)[number];

export const CATEGORIES = ['prompt-injection', 'jailbreak', 'encoding-evasion', 'sensitive-data'] as const;
export type Category = (typeof CATEGORIES)[number];

/** The one answer to one scan. The id is for the operator's log; what a sender is told leaves it out, so as not to teach him. */
export interface Verdict {
  readonly action: Action;
  readonly category: Category | null;
  readonly signatureName: string | null;
  /** What an exclusion names. */
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

/** As POST /check answers it: the id is for the operator alone. */
export function presented({ action, category, signatureName, confidence }: Verdict): object {
  return { action, category, signature_name: signatureName, confidence };
}

export function milder(a: Action, b: Action): Action {
  return ACTIONS.indexOf(a) <= ACTIONS.indexOf(b) ? a : b;
}
