import type { Finding } from '../../domain/finding.ts';
import type { Forbidden } from '../../domain/job.ts';
import type { Passage } from '../../domain/passage.ts';
import { unescape } from '../../text/escapes.ts';
import { leaksIn } from '../egress.ts';
import type { Ruleset } from '../ruleset.ts';
import { scan } from '../scan.ts';

/** A stretch of a channel that can be judged now, with as much of the text before it as a signature looks back on. */
export interface Judged {
  readonly passage: Passage;
  readonly channel: string;
  /** Where the passage begins, counted from the beginning of the channel. */
  readonly from: number;
  /** Where the text begins that was not judged before, counted from the beginning of the channel. */
  readonly fresh: number;
  /** Known to be in plain sight. */
  readonly undisguised: boolean;
}

export type Read =
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] }
  | { readonly kind: 'unreadable'; readonly reason: 'decode-budget' }
  | { readonly kind: 'timeout'; readonly phase: 'run' };

export function readJudged(
  ruleset: Ruleset,
  judged: readonly Judged[],
  forbidden: Forbidden | null,
  cancelled: () => boolean,
): Read {
  if (judged.length === 0) return { kind: 'findings', findings: [] };
  const passages: Passage[] = [];
  for (const { passage } of judged) {
    passages.push({ ...passage, message: passages.length });
    // Arguments of a tool are JSON inside JSON, in which `\u0069` is a letter: the text is read with its escapes
    // undone, too.
    if (passage.text.includes('\\'))
      passages.push({ ...passage, text: unescape(passage.text), message: passages.length });
  }
  const undisguised = passages.length === 1 && judged[0]!.undisguised;
  const scanned = scan(ruleset, passages, { direction: 'response', cancelled, undisguised });
  if (scanned.kind !== 'findings') return failureOf(scanned.kind);
  if (forbidden === null) return scanned;
  const leaks = leaksIn(ruleset, passages, forbidden, cancelled);
  if (leaks.kind !== 'findings') return failureOf(leaks.kind);
  return { kind: 'findings', findings: [...scanned.findings, ...leaks.findings] };
}

function failureOf(kind: 'exhausted' | 'cancelled'): Read {
  return kind === 'cancelled' ? { kind: 'timeout', phase: 'run' } : { kind: 'unreadable', reason: 'decode-budget' };
}
