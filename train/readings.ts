import { compile } from '../src/detect/ruleset.ts';
import { scan } from '../src/detect/scan.ts';
import { toleratedLack } from '../src/detect/support.ts';
import type { Finding } from '../src/domain/finding.ts';
import type { Signature } from '../src/domain/signature.ts';
import type { Likeness } from '../src/likeness/score.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import type { Row } from './corpora.ts';
import type { ModelSetup } from './model-setups.ts';
import { scoresByLack } from './signature-scores.ts';
import type { ScoresByLack } from './signature-scores.ts';

/** What the scanner makes of the rows before any weights exist. */
export interface ScannedRows {
  /** For each row, the text as written, and then every other reading that the scanner would score. */
  readonly texts: readonly (readonly Buffer[])[];
  /** The scores of the rows in which signatures find something, by id. */
  readonly signatures: ReadonlyMap<string, ScoresByLack>;
}

/** The most texts per row: after thirty decoded readings, another one teaches nothing new. */
const MOST_TEXTS = 31;

/** A text that decodes to more than the limit is refused, which counts as blocked. */
const REFUSED: ScoresByLack = () => ({ injection: 1, jailbreak: 0, evasion: 0 });

/**
 * Runs the real scanner with a likeness that only records its input. So training and measurement use exactly the
 * texts that will be scored, decoded readings included. When training used only the texts as written, noise between
 * letters hid attacks from it that the scanner sees, and benign code that the scanner decodes was not measured at
 * all.
 */
export function scanRows(setup: ModelSetup, signatures: readonly Signature[], rows: readonly Row[]): ScannedRows {
  const compiled = compile(signatures, DECODERS);
  if ('problems' in compiled)
    throw new Error('the signatures do not compile: see npm run build and guard signatures lint');
  const byId = new Map(signatures.map((signature) => [signature.id, signature]));
  const signatureScores = new Map<string, ScoresByLack>();
  let scoredTexts = new Map<string, Buffer>();
  const recorder: Likeness = {
    scoreOf: () => 0,
    lackIn: () => 0,
    resemblanceOf: (bytes, from) => {
      // A long text arrives in slices of one buffer, so it is recorded once.
      if (from === 0 && scoredTexts.size < MOST_TEXTS) {
        const text = Buffer.from(bytes);
        scoredTexts.set(text.toString('latin1'), text);
      }
      return null;
    },
  };
  const texts = rows.map(({ id, text, corpus }) => {
    scoredTexts = new Map();
    const passage = { text, role: setup.roleOf(corpus), where: 'text', message: 0 } as const;
    const scanned = scan(compiled.ruleset, [passage], {
      sensitive: false,
      likeness: { asked: recorder, planted: recorder },
    });
    if (scanned.kind !== 'findings') signatureScores.set(id, REFUSED);
    else if (scanned.findings.length > 0) {
      const tolerated = ({ signature, role, via }: Finding): number => {
        const found = byId.get(signature);
        return found === undefined ? Infinity : toleratedLack(found, role, via);
      };
      signatureScores.set(id, scoresByLack(scanned.findings, tolerated));
    }
    return [...scoredTexts.values()];
  });
  return { texts, signatures: signatureScores };
}
