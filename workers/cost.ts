/**
 * A thread that measures for authors of signatures what these cost on hostile text. It is not a task of the scanning
 * threads, because it takes seconds by design, and the deadlines of those would terminate it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { costOf, costsOfAll } from '../src/detect/prove/cost.ts';
import { knownAtBuild } from '../src/detect/patterns/known-at-build.ts';
import { compile } from '../src/detect/ruleset.ts';
import type { SignatureCost } from '../src/domain/cost.ts';
import type { Signature } from '../src/domain/signature.ts';
import { DECODERS } from '../src/text/decoders/index.ts';

const { signatures, wanted } = workerData as {
  readonly signatures: readonly Signature[];
  readonly wanted: readonly string[];
};
const say = (costs: readonly SignatureCost[]): void => parentPort?.postMessage(costs);

const compiled = compile(signatures, DECODERS, knownAtBuild() ?? undefined);
if ('problems' in compiled) throw new Error('these signatures do not compile');
const { ruleset } = compiled;
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
