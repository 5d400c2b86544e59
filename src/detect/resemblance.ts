import type { Finding } from '../domain/finding.ts';
import type { Passage, Role } from '../domain/passage.ts';
import type { Likeness, Resemblance } from '../likeness/score.ts';
import type { Reading } from '../text/readings.ts';

/**
 * The statistical scanner beside the signatures: one more finding, for the text that resembles known attacks most. It counts
 * in the category that the signatures point to, for findings of two categories would not add up; alone, in the one the
 * text looks most like.
 */
export interface Resembling {
  /** Each passage as it stands, in the bytes of all of them joined by a line end, and what else is behind them. False when cancelled. */
  readonly passages: (passages: readonly Passage[], bytes: Buffer) => boolean;
  /** What was decoded of one of them. False when cancelled. */
  readonly reading: (passage: Pick<Passage, 'role' | 'where'>, reading: Reading) => boolean;
  readonly beside: (findings: readonly Finding[]) => readonly Finding[];
}

export const LIKENESS = 'likeness';
const NAME = 'Resembles known attacks';

/**
 * Whoever writes instructions writes like those who attack them. These roles are the operator's own words or the model's;
 * signatures say of them what is certain, and a resemblance is not.
 */
const SPARED: ReadonlySet<Role> = new Set<Role>(['system', 'developer', 'tool_definition', 'assistant']);

/**
 * Readings that are made by cutting names apart and putting pieces together. Of a program they leave a heap of words like
 * "initial prompt" and "assistant reply"; a phrase in it is a finding, a resemblance is not.
 */
const GUESSED: ReadonlySet<string> = new Set(['joined-words', 'joined-phrases', 'acrostic', 'word-order']);

/** As long as one call may keep the thread, and more than a window so that none is lost at a cut. */
const SLICE = 64 * 1024;
const OVERLAP = 2 * 1024;

export function createResembling(likeness: Likeness, suspects: Set<object>, cancelled: () => boolean): Resembling {
  let best: (Resemblance & Pick<Finding, 'role' | 'where' | 'via'>) | null = null;

  function look(
    of: Pick<Passage, 'role' | 'where'>,
    via: readonly string[],
    bytes: Buffer,
    from: number,
    to: number,
  ): boolean {
    const { role, where } = of;
    if (SPARED.has(role)) return true;
    for (let start = from; ; start += SLICE - OVERLAP) {
      if (cancelled()) return false;
      const end = Math.min(start + SLICE, to);
      const found = likeness.of(bytes, start, end);
      if (found !== null) suspects.add(of);
      if (found !== null && (best === null || found.confidence > best.confidence))
        best = { ...found, role, where, via };
      if (end === to) return true;
    }
  }

  return {
    passages(passages, bytes) {
      let from = 0;
      for (const passage of passages) {
        const to = from + Buffer.byteLength(passage.text);
        if (!look(passage, [], bytes, from, to)) return false;
        from = to + 1;
      }
      return true;
    },
    reading(passage, { text, via }) {
      if (via.some((name) => GUESSED.has(name))) return true;
      const bytes = Buffer.from(text);
      return look(passage, via, bytes, 0, bytes.length);
    },
    beside(findings) {
      if (best === null) return findings;
      const pointed = findings.find(({ category }) => category === 'prompt-injection' || category === 'jailbreak');
      return [...findings, { signature: LIKENESS, name: NAME, ...best, category: pointed?.category ?? best.category }];
    },
  };
}
