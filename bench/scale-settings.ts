/** What may be chosen of the part `scale`. */
export interface ScaleSettings {
  /** Names of SECTIONS; empty means all. */
  readonly only: readonly string[];
  readonly rounds: number;
  /** The number of calls of 2 KB per figure. There are fewer calls with larger bodies. */
  readonly requests: number;
  readonly connections: number;
  /** The duration of each open load in the memory section. */
  readonly seconds: number;
}
