/**
 * A thread that measures what signatures cost on hostile text, for their author. Not a task of the scanning threads: it takes
 * seconds by design, and those are held to deadlines that end whoever does.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { costOf, costsOfAll } from '../src/detect/cost.ts';
import { compile } from '../src/detect/ruleset.ts';
import type { SignatureCost } from '../src/domain/cost.ts';
import type { Signature } from '../src/domain/signature.ts';
import { DECODERS } from '../src/text/decoders/index.ts';

const { signatures, wanted } = workerData as {
  readonly signatures: readonly Signature[];
  readonly wanted: readonly string[];
};
const say = (costs: readonly SignatureCost[]): void => parentPort?.postMessage(costs);

const compiled = compile(signatures, DECODERS);
if ('problems' in compiled) throw new Error('these signatures do not compile');
const { ruleset } = compiled;
const mine = new Set(wanted);

// Code that has just been loaded runs several times slower than what a busy thread would: a single signature must not
// look dear for being the first.
const warmBy = performance.now() + 1500;
for (const rule of ruleset.rules) if (performance.now() < warmBy) costOf(ruleset, rule);

// An author's own files change nothing of what the others cost together.
say(ruleset.rules.every(({ signature }) => mine.has(signature.id)) ? costsOfAll(ruleset) : []);
for (const rule of ruleset.rules) {
  if (!mine.has(rule.signature.id)) continue;
  const cost = costOf(ruleset, rule);
  say(cost === null ? [] : [cost]);
}
