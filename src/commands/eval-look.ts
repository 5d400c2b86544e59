import { isAttack, isSeen } from '../eval/judge.ts';
import { matchesPattern } from '../eval/name-pattern.ts';
import type { Arguments } from './command.ts';
import type { EvalSettings } from './eval-run.ts';

const MOST_SHOWN_CHARS = 2000;

/**
 * Prints misjudged texts on the terminal; they are not stored. Texts of corpora that only measure are never shown:
 * such a corpus no longer measures the work of a person who has read what was missed.
 */
export function lookFor(args: Arguments): { readonly see: EvalSettings['look']; readonly say: () => void } {
  const [misses, hits] = [args.list('misses'), args.list('hits')];
  const hidden = new Set<string>();
  return {
    see(corpus, { text }, row) {
      const wrong = misses.some((one) => matchesPattern(corpus.name, one)) && isSeen(row) !== isAttack(row);
      const hit = !isAttack(row) && row.found.some(([signature]) => hits.includes(signature));
      if (!wrong && !hit) return;
      if (corpus.measuredOnly) {
        hidden.add(corpus.name);
        return;
      }
      const what = hit && !wrong ? 'HIT' : isAttack(row) ? 'MISSED' : 'FALSE';
      const found = row.found.map(([signature, confidence]) => `${signature}(${confidence})`).join(' ');
      console.log(`${what} ${row.id} ${row.label} ${row.subtype}: ${row.action} ${row.score} ${found}`);
      console.log(`${harmless(text.slice(0, MOST_SHOWN_CHARS))}\n`);
    },
    say() {
      for (const name of hidden) console.error(`guard: ${name} only measures, so its texts are not shown`);
    },
  };
}

/** Replaces control characters. A terminal executes escape sequences, and these texts were written by attackers. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (char) => (char === '\n' ? char : ' '));
}
