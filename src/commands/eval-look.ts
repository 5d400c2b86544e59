import { isAttack, isSeen } from '../eval/judge.ts';
import { fits } from '../eval/names.ts';
import type { Arguments } from './command.ts';
import type { EvalSettings } from './eval-run.ts';

const MOST_SHOWN_CHARS = 2000;

/**
 * Texts are shown on the terminal of whoever asks, and are kept nowhere. Those of corpora that only measure are not shown
 * at all: who has read what he missed can no longer be measured by it.
 */
export function lookFor(args: Arguments): { readonly see: EvalSettings['look']; readonly say: () => void } {
  const [misses, hits] = [args.list('misses'), args.list('hits')];
  const hidden = new Set<string>();
  return {
    see(corpus, { text }, row) {
      const wrong = misses.some((one) => fits(corpus.name, one)) && isSeen(row) !== isAttack(row);
      const hit = !isAttack(row) && row.found.some(([signature]) => hits.includes(signature));
      if (!wrong && !hit) return;
      if (!corpus.teaches) {
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

/** A terminal obeys what it is sent; whoever wrote these texts meant no good. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (char) => (char === '\n' ? char : ' '));
}
