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
  const asWritten: Passage[] = [];
  const unescaped: Passage[] = [];
  for (const { passage } of judged) {
    asWritten.push({ ...passage, message: asWritten.length });
    // Arguments of a tool are JSON inside JSON, in which `\u0069` is a letter: the text is read with its escapes
    // undone, too.
    if (passage.text.includes('\\'))
      unescaped.push({ ...passage, text: unescape(passage.text), message: unescaped.length });
  }
  const undisguised = judged.length === 1 && unescaped.length === 0 && judged[0]!.undisguised;
  // Each by itself. As one conversation a text and its copy would also be read joined at their ends, which took several
  // times the decoding of the text, and more than its length allows.
  const findings: Finding[] = [];
  for (const passages of [asWritten, unescaped]) {
    if (passages.length === 0) continue;
    const scanned = scan(ruleset, passages, { direction: 'response', cancelled, undisguised });
    if (scanned.kind !== 'findings') return failureOf(scanned.kind);
    findings.push(...scanned.findings);
    if (forbidden === null) continue;
    const leaks = leaksIn(ruleset, passages, forbidden, cancelled);
    if (leaks.kind !== 'findings') return failureOf(leaks.kind);
    findings.push(...leaks.findings);
  }
  return { kind: 'findings', findings };
}

function failureOf(kind: 'exhausted' | 'cancelled'): Read {
  return kind === 'cancelled' ? { kind: 'timeout', phase: 'run' } : { kind: 'unreadable', reason: 'decode-budget' };
}
