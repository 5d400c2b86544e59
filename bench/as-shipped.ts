/** The engine with what it is shipped with, for what is measured without a service around it. */
import { compile, type Ruleset } from '../src/detect/ruleset.ts';
import { loadLikeness, type Models } from '../src/likeness/load.ts';

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
