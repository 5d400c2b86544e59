/** What people write in one language, in their own words: to take a model from who runs it, and for everything else. */
export interface Tongue {
  readonly language: string;
  readonly injections: readonly string[];
  readonly jailbreaks: readonly string[];
  /** Full of the words that attacks are made of. */
  readonly honest: readonly string[];
}
