/** Texts in one language in the words of its speakers: attacks on a model, and everything else. */
export interface LanguageTexts {
  readonly language: string;
  readonly injections: readonly string[];
  readonly jailbreaks: readonly string[];
  /** Benign texts full of the words of attacks. */
  readonly honest: readonly string[];
}
