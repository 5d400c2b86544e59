import type { Exclusion } from '../domain/policy.ts';
import type { Typed } from './schema.ts';

export interface ExclusionList {
  /** Where it was typed. */
  readonly path: readonly (string | number)[];
  readonly exclusions: readonly Exclusion[];
}

/** Every list of exclusions that was typed: of the policy, of the upstreams, and of the shadow of each. */
export function exclusionLists({ policy, upstreams }: Pick<Typed, 'policy' | 'upstreams'>): readonly ExclusionList[] {
  return [
    ...listsOf(['policy'], policy),
    ...Object.entries(upstreams).flatMap(([name, upstream]) => listsOf(['upstreams', name, 'policy'], upstream.policy)),
  ];
}

interface Typeable {
  readonly exclusions?: readonly Exclusion[] | undefined;
  readonly shadow?: { readonly exclusions?: readonly Exclusion[] | undefined } | null | undefined;
}

function listsOf(path: readonly string[], { exclusions = [], shadow }: Typeable): readonly ExclusionList[] {
  return [
    { path: [...path, 'exclusions'], exclusions },
    { path: [...path, 'shadow', 'exclusions'], exclusions: shadow?.exclusions ?? [] },
  ];
}
