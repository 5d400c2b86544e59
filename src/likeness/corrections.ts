/**
 * "Disregard the earlier quote; only this one counts": in a few words the model cannot tell what is dropped, an order or
 * a piece of paper. A short window that names such a piece after `earlier`, or the checks of a build, and nothing that
 * belongs to a model, has to score this much higher.
 */
const PENALTY = 1.5;
/** A longer text has more words to tell it by, and more room for an attack. */
export const MOST_WORDS = 16;

const PAPER =
  /\b(?:earlier|previous|former|prior) (?:quote|quotation|schedule|timetable|draft|invoice|agenda|offer|estimate|menu|route|memo|notice|sketch|letter|e-?mail|mail|spreadsheet|attachment|version|screenshot|photo|report|booking|invitation|budget|recipe|question|comment|remark|reminder|translation|figures?|drawing|price list|floor plan|outline|traceback|stack trace|error)\b/i;
const BUILD =
  /\b(?:checks|hooks|tests|validations|linters) (?:in|of|for|on) (?:the|my|our|this) (?:[a-z]+ )?(?:build|pipeline|branch|job|script|commit|migration|import|image)\b/i;
const OF_A_MODEL =
  /\b(?:instructions?|prompts?|rules?|orders|commands?|directives?|guidelines?|polic(?:y|ies)|system|developer|admin|passwords?|secrets?|keys?|tokens?|reveal|restrictions?|filters?|ai|assistant|model|chatbot|bot|you are|you're|say|print|output|repeat|send|everything|all (?:earlier|previous|prior))\b/i;

export function correctionPenalty(words: number, text: string): number {
  if (words > MOST_WORDS || OF_A_MODEL.test(text)) return 0;
  return PAPER.test(text) || BUILD.test(text) ? PENALTY : 0;
}
