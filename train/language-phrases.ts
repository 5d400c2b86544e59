/** Phrases in one language. Slots are filled from the same language, so that no text mixes languages. */
export interface LanguagePhrases {
  readonly language: string;
  readonly slots: Readonly<Record<string, string>>;
  readonly phrases: readonly string[];
}
