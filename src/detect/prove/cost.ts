import type { SignatureCost } from '../../domain/cost.ts';
import { chooser, KINDS, phrasesOf, repeated } from './hostile.ts';
import type { Kind, Pick } from './hostile.ts';
import { scan } from '../scan.ts';
import type { Rule } from '../rule.ts';
import type { Ruleset } from '../ruleset.ts';

/** What a ruleset costs on text written against it: CPU time of a whole scan, since that is what a sender can take. */

const SIZE = 16 * 1024;
const ROUNDS = 3;

/** The phrases of all rules mixed, so that as many rules as possible are suspected at once. */
export function costsOfAll(ruleset: Ruleset): SignatureCost[] {
  return KINDS.flatMap((kind) => {
    const phrases = ruleset.rules.flatMap((rule) => phrasesOf(ruleset, rule)[kind] ?? []);
    if (phrases.length === 0) return [];
    const next = (pick: Pick): string => (phrases[pick(phrases.length)] as (pick: Pick) => string)(pick);
    const mbPerSecond = speedOn(ruleset, (pick) => repeated(() => next(pick), SIZE));
    return [{ signature: null, kind, mbPerSecond }];
  });
}

/** The kind of text that is slowest because of this rule, or null where nothing can be written against it. */
export function costOf(ruleset: Ruleset, rule: Rule): SignatureCost | null {
  let worst: SignatureCost | null = null;
  for (const [kind, phrase] of Object.entries(phrasesOf(ruleset, rule)) as [Kind, (pick: Pick) => string][]) {
    const mbPerSecond = speedOn(ruleset, (pick) => repeated(() => phrase(pick), SIZE), rule);
    if (worst === null || mbPerSecond < worst.mbPerSecond) worst = { signature: rule.signature.id, kind, mbPerSecond };
  }
  return worst;
}

/**
 * The best of a few rounds: other work on the machine can only make it look slower than it is. Each round has a text of
 * its own, since the engine keeps the states that it made for one, and a sender's second text need not be the first
 * again.
 */
function speedOn(ruleset: Ruleset, textFrom: (pick: Pick) => string, rule?: Rule): number {
  let best = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const text = textFrom(chooser(round + 1));
    best = Math.max(best, Buffer.byteLength(text) / Math.max(1, cpuOf(ruleset, text, rule)));
  }
  return best;
}

/** CPU time of the process, in microseconds: garbage collection during the scan is part of the price. */
function cpuOf(ruleset: Ruleset, text: string, rule?: Rule): number {
  const { roles = [], directions = [] } = rule?.signature ?? {};
  const passages = [{ text, role: roles[0] ?? ('user' as const), where: 'hostile', message: 0 }];
  const before = process.cpuUsage();
  scan(ruleset, passages, { direction: directions[0] ?? 'request', sensitive: true });
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
