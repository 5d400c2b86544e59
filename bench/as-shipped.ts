/** The engine with the shipped signatures and models, for measurements without a service around it. */
import { compile, type Ruleset } from '../src/detect/ruleset.ts';
import { scan } from '../src/detect/scan.ts';
import type { Passage } from '../src/domain/passage.ts';
import { decide, type Policy } from '../src/domain/policy.ts';
import { loadLikeness, type Models } from '../src/likeness/load.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { DECODERS } from '../src/text/decoders/index.ts';

export function rulesetOf(...written: Parameters<typeof compile>): Ruleset {
  const made = compile(...written);
  if ('problems' in made) throw new Error('the signatures are not sound: guard signatures lint');
  return made.ruleset;
}

export function likenessAsShipped(): Models {
  const loaded = loadLikeness();
  if ('problem' in loaded) throw new Error(loaded.problem.message);
  return loaded.likeness;
}

/**
 * Returns a function that tells whether a request with these passages is blocked. A request that cannot be read
 * completely counts as blocked.
 */
export function blockingAsShipped(policy: Policy): (said: readonly Passage[]) => boolean {
  const ruleset = rulesetOf(loadSignatures().signatures, DECODERS);
  const likeness = likenessAsShipped();
  const scene = { direction: 'request', upstream: null, path: '', client: () => null, now: 0 } as const;
  return (said) => {
    const scanned = scan(ruleset, said, { sensitive: false, likeness });
    return scanned.kind !== 'findings' || decide(policy, scanned.findings, scene).action === 'block';
  };
}
