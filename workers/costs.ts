/**
 * What signatures cost on hostile text, measured for their authors. It is done in a thread of its own and is no task of a
 * scanning thread, because it takes seconds by design, and the deadlines of tasks would terminate it.
 */
import { costOf, costsOfAll } from '../src/detect/prove/cost.ts';
import type { Ruleset } from '../src/detect/ruleset.ts';
import type { SignatureCost } from '../src/domain/cost.ts';

export function tellCosts(
  ruleset: Ruleset,
  wanted: readonly string[],
  say: (costs: readonly SignatureCost[]) => void,
): void {
  const mine = new Set(wanted);

  // Warm up first. Freshly loaded code runs several times slower than on a busy thread, and the signature that is
  // measured first must not look expensive for that reason.
  const warmBy = performance.now() + 1500;
  for (const rule of ruleset.rules) if (performance.now() < warmBy) costOf(ruleset, rule);

  // The cost of all signatures together is measured only if all of them are wanted: an author's own files do not change
  // it. Otherwise the empty list reports this step as done.
  say(ruleset.rules.every(({ signature }) => mine.has(signature.id)) ? costsOfAll(ruleset) : []);
  for (const rule of ruleset.rules) {
    if (!mine.has(rule.signature.id)) continue;
    const cost = costOf(ruleset, rule);
    say(cost === null ? [] : [cost]);
  }
}
