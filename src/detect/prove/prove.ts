import { scoresByCategory } from '../../domain/score.ts';
import type { Passage } from '../../domain/passage.ts';
import type { Problem } from '../../domain/problem.ts';
import type { Signature } from '../../domain/signature.ts';
import type { Direction } from '../../domain/job.ts';
import { bySureness, type Finding } from '../../domain/finding.ts';
import { problemOf } from '../drafts.ts';
import type { Ruleset } from '../ruleset.ts';
import { scan } from '../scan.ts';

/** The score that blocks at the default sensitivity. */
const BLOCKING = 0.5;

/**
 * Tries each signature on its own examples, and its near misses on all signatures, by the same scan that traffic goes
 * through. A ruleset that disagrees with its examples is never used: not in CI, not at start, not by a live update.
 */
export function prove(ruleset: Ruleset, signatures: readonly Signature[]): Problem[] {
  const problems: Problem[] = [];
  for (const [asked, signature] of signatures.entries()) {
    for (const [i, text] of signature.matches.entries()) {
      const found = findingsOf(ruleset, text, signature);
      if (typeof found === 'string' || !found.some((finding) => finding.signature === signature.id))
        problems.push(problemOf(signature, `matches[${i}]`, `is not found: '${text}'`));
    }
    for (const i of signature.ignores.keys()) problems.push(...spared(ruleset, signature, i));
    // Each signature has engines of its own, and no other text asks for most of them.
    if ((asked + 1) % FORGOTTEN === 0) ruleset.engines.forget();
  }
  if (signatures.length >= FORGOTTEN) ruleset.engines.forget();
  return problems;
}

/**
 * Tries the near misses of signatures that were proven without `others`. Only those in which `others` finds something
 * are tried on the whole ruleset.
 */
export function proveBeside(ruleset: Ruleset, others: Ruleset, proven: readonly Signature[]): Problem[] {
  const problems: Problem[] = [];
  for (const signature of proven) {
    for (const [i, text] of signature.ignores.entries()) {
      const found = findingsOf(others, text, signature);
      if (typeof found === 'string' || found.length > 0) problems.push(...spared(ruleset, signature, i));
    }
  }
  others.engines.forget();
  return problems;
}

/** What is wrong with a near miss: it cannot be read, it is found, or it would be blocked. */
function spared(ruleset: Ruleset, signature: Signature, i: number): Problem[] {
  const problems: Problem[] = [];
  const text = signature.ignores[i]!;
  const say = (message: string): void => void problems.push(problemOf(signature, `ignores[${i}]`, message));
  const found = findingsOf(ruleset, text, signature);
  if (typeof found === 'string') {
    say(`could not be read (${found})`);
    return problems;
  }
  if (found.some((finding) => finding.signature === signature.id))
    say(`is found although it must be spared: '${text}'`);
  for (const { category, score, strongest } of scoresByCategory(found))
    if (score >= BLOCKING && strongest.signature !== signature.id)
      say(`would be blocked as ${category} by ${named(found, category, strongest)}: '${text}'`);
  return problems;
}

/** All signatures that add up to the score, the strongest first. The one that is new need not be the strongest. */
function named(found: readonly Finding[], category: string, strongest: Finding): string {
  const others = found
    .filter((finding) => finding.category === category && finding.signature !== strongest.signature)
    .sort(bySureness)
    .map(({ signature }) => signature);
  const ids = [...new Set([strongest.signature, ...others])];
  const shown = ids.slice(0, MOST_NAMED).join(' with ');
  return ids.length > MOST_NAMED ? `${shown} and ${ids.length - MOST_NAMED} more` : shown;
}

const MOST_NAMED = 4;

/** After this many signatures the engines are dropped, to give back their memory. */
const FORGOTTEN = 96;

/** The findings, or why the text could not be read. */
function findingsOf(ruleset: Ruleset, text: string, { directions, roles }: Signature): readonly Finding[] | string {
  const direction: Direction = directions[0] ?? 'request';
  const passage: Passage = { text, role: roles[0] ?? 'user', where: 'example', message: 0 };
  const scanned = scan(ruleset, [passage], { direction });
  return scanned.kind === 'findings' ? scanned.findings : scanned.kind;
}
