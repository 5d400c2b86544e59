import { compile } from '../src/detect/ruleset.ts';
import { scan } from '../src/detect/scan.ts';
import type { Signature } from '../src/domain/signature.ts';
import { scores } from '../src/domain/score.ts';
import type { Likeness } from '../src/likeness/score.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import type { Row } from './corpora.ts';
import type { Course } from './courses.ts';
import type { SignatureScore } from './signature-scores.ts';

/** What the scanner makes of the rows before any likeness is known. */
export interface Read {
  /** Of each row, by its place: as it stands, then whatever else the scanner would hold against the weights. */
  readonly texts: readonly (readonly Buffer[])[];
  /** Of the rows in which signatures find something, by id. */
  readonly signatures: ReadonlyMap<string, SignatureScore>;
}

/** A text in which thirty things can be decoded teaches no more by the next. */
const MOST_TEXTS = 31;

/** What unfolds to more than is read is refused, and that is no better than blocked. */
const REFUSED: SignatureScore = { injection: 1, jailbreak: 0, evasion: 0 };

/**
 * The scanner itself is asked, with a likeness that only takes notes: what is learnt from and what is measured is then what
 * will be judged, decoded readings and all. Learnt from text as it stands alone, noise in the letters hid attacks from the
 * learner that the scanner sees, and honest code that is unfolded was measured nowhere.
 */
export function readAll(course: Course, signatures: readonly Signature[], rows: readonly Row[]): Read {
  const compiled = compile(signatures, DECODERS);
  if ('problems' in compiled)
    throw new Error('the signatures do not compile: see npm run build and guard signatures lint');
  const signatureScores = new Map<string, SignatureScore>();
  let heard = new Map<string, Buffer>();
  const listening: Likeness = {
    scoreOf: () => 0,
    of: (bytes, from) => {
      // A long text comes in slices of one buffer.
      if (from === 0 && heard.size < MOST_TEXTS) {
        const text = Buffer.from(bytes);
        heard.set(text.toString('latin1'), text);
      }
      return null;
    },
  };
  const texts = rows.map(({ id, text, corpus }) => {
    heard = new Map();
    const passage = { text, role: course.roleOf(corpus), where: 'text', message: 0 } as const;
    const scanned = scan(compiled.ruleset, [passage], {
      sensitive: false,
      likeness: { asked: listening, planted: listening },
    });
    if (scanned.kind === 'findings') {
      const byCategory = scores(scanned.findings);
      const of = (wanted: string): number => byCategory.find(({ category }) => category === wanted)?.score ?? 0;
      const [injection, jailbreak, evasion] = [of('prompt-injection'), of('jailbreak'), of('encoding-evasion')];
      if (injection + jailbreak + evasion > 0) signatureScores.set(id, { injection, jailbreak, evasion });
    } else signatureScores.set(id, REFUSED);
    return [...heard.values()];
  });
  return { texts, signatures: signatureScores };
}
