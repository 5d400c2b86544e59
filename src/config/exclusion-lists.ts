import type { Exclusion } from '../domain/policy.ts';
import type { Settings } from './schema.ts';

export interface ExclusionList {
  /** Where it was written. */
  readonly path: readonly (string | number)[];
  readonly exclusions: readonly Exclusion[];
}

/** Every list of exclusions that was written: of the policy, of the upstreams, and of the shadow of each. */
export function exclusionLists({
  policy,
  upstreams,
}: Pick<Settings, 'policy' | 'upstreams'>): readonly ExclusionList[] {
  return [
    ...listsOf(['policy'], policy),
    ...Object.entries(upstreams).flatMap(([name, upstream]) => listsOf(['upstreams', name, 'policy'], upstream.policy)),
  ];
}

interface PolicyWithExclusions {
  readonly exclusions?: readonly Exclusion[] | undefined;
  readonly shadow?: { readonly exclusions?: readonly Exclusion[] | undefined } | null | undefined;
}

function listsOf(path: readonly string[], { exclusions = [], shadow }: PolicyWithExclusions): readonly ExclusionList[] {
  return [
    { path: [...path, 'exclusions'], exclusions },
    { path: [...path, 'shadow', 'exclusions'], exclusions: shadow?.exclusions ?? [] },
  ];
}
