/** The database as the rest of the control plane uses it. */

export type Row = Readonly<Record<string, unknown>>;
export type Query = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export interface Database {
  readonly kind: 'postgresql' | 'embedded';
  readonly query: Query;
  /**
   * Runs `work` in a transaction. If it fails because of a deadlock or a serialization conflict, it is tried once
   * more.
   */
  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
