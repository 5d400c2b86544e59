import type { CategoryPolicy, Policy } from '../domain/policy.ts';
import type { Role } from '../domain/passage.ts';
import type { Action, Category } from '../domain/verdict.ts';
import type { Settings } from './schema.ts';

/**
 * The resolved configuration: every default filled in, every override merged. It is the only form used outside this
 * folder.
 */

/**
 * A policy in which every category and role is present, so that no reader has to know a default. Assignable to
 * `Policy`.
 */
export interface FullPolicy extends Policy {
  readonly categories: Readonly<
    Record<Category, Required<{ [Key in keyof CategoryPolicy]: NonNullable<CategoryPolicy[Key]> }>>
  >;
  readonly roles: Readonly<Record<Role, Action>>;
}

export interface EnforcedPolicy extends FullPolicy {
  /** Evaluated on the same findings, counted and logged, but never enforced. */
  readonly shadow: FullPolicy | null;
}

export type UpstreamConfig = Readonly<Omit<Settings['upstreams'][string], 'policy'>> & {
  readonly policy: EnforcedPolicy;
};

type Plain = Omit<Settings, 'upstreams' | 'policy' | 'scanner' | 'rate_limit' | 'control_plane'>;

export type Config = Sealed<Plain> & {
  /** An object without a prototype, so that `upstreams['constructor']` is undefined. */
  readonly upstreams: Readonly<Record<string, UpstreamConfig>>;
  readonly policy: EnforcedPolicy;
  readonly scanner: Sealed<Omit<Settings['scanner'], 'threads'>> & { readonly threads: number };
  readonly rate_limit: Sealed<Omit<Settings['rate_limit'], 'store_file'>>;
  readonly control_plane: Sealed<Omit<Settings['control_plane'], 'api_key_file'>>;
};

type Sealed<Value> = Value extends readonly (infer Item)[]
  ? readonly Sealed<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Sealed<Value[Key]> }
    : Value;
