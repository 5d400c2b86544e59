import { scores } from '../domain/score.ts';
import type { Passage } from '../domain/passage.ts';
import type { Problem, Signature } from '../domain/signature.ts';
import type { Ruleset } from './ruleset.ts';
import { scan } from './scan.ts';

/** The score that blocks at the default sensitivity. */
const BLOCKING = 0.5;

/** Several threads prove a ruleset together: each its part of the signatures. */
export interface Share {
  readonly of: number;
  readonly at: number;
}

/**
 * Of a ruleset that was proven elsewhere each thread asks one signature in so many, others than its neighbours ask, so that an
 * engine that cannot match here is seen. A handful is enough for that, and in code that is still cold each takes milliseconds.
 */
const SAMPLED = 96;

export function sampleOf({ at }: Share): Share {
  return { of: SAMPLED, at: at % SAMPLED };
}

/**
 * Every signature against its own examples, and every near miss of every signature against all of them, through the
 * same scan that traffic goes through. A ruleset that disagrees with its examples is never put to work: not in CI, not
 * at start, not by a live update.
 */
export function prove(ruleset: Ruleset, share: Share = { of: 1, at: 0 }): Problem[] {
  const problems: Problem[] = [];
  let asked = 0;
  for (const [i, { signature }] of ruleset.rules.entries()) {
    if (i % share.of !== share.at) continue;
    asked += 1;
    // Each has patterns of its own, and most of them no text asks for.
    if (asked % FORGOTTEN === 0) ruleset.engines.forget();
    const direction = signature.directions[0] ?? 'request';
    const say = (path: string, message: string): void => {
      problems.push({ ...signature.source, column: 1, path: `${signature.id}.${path}`, message });
    };
    for (const [i, text] of signature.matches.entries()) {
      const scanned = scan(ruleset, [passageOf(text, signature)], { direction });
      const hit = scanned.kind === 'findings' && scanned.findings.some((finding) => finding.signature === signature.id);
      if (!hit) say(`matches[${i}]`, `is not found: '${text}'`);
    }
    for (const [i, text] of signature.ignores.entries()) {
      const scanned = scan(ruleset, [passageOf(text, signature)], { direction });
      if (scanned.kind !== 'findings') {
        say(`ignores[${i}]`, `could not be read (${scanned.kind})`);
        continue;
      }
      if (scanned.findings.some((finding) => finding.signature === signature.id))
        say(`ignores[${i}]`, `is found although it must be spared: '${text}'`);
      for (const { category, score, strongest } of scores(scanned.findings))
        if (score >= BLOCKING && strongest.signature !== signature.id)
          say(`ignores[${i}]`, `would be blocked as ${category} by ${strongest.signature}: '${text}'`);
    }
  }
  if (asked >= FORGOTTEN) ruleset.engines.forget();
  return problems;
}

/** So many signatures are asked, and then the memory that they took is given back. */
const FORGOTTEN = 96;

function passageOf(text: string, signature: Signature): Passage {
  return { text, role: signature.roles[0] ?? 'user', where: 'example', message: 0 };
}
