/**
 * "Disregard the earlier quote; only this one counts": in a few words the model cannot tell what is dropped, an order or
 * a piece of paper. So a text is no attack when it takes back such a piece, or the checks of a build, and every one of
 * its words is in this list. Refused: to lower the score of a text that names such a piece among other words. The sender
 * chooses these words, so they would be a way past the model.
 */
const PIECES =
  'quote quotation schedule timetable draft invoice agenda offer estimate menu route memo notice sketch letter email mail ' +
  'spreadsheet attachment screenshot photo report booking invitation budget recipe question comment remark reminder ' +
  'figure figures drawing outline error summary answer reply';
const CHECKS = 'checks hooks tests validations linters';
const OF_A_BUILD = 'build pipeline branch job commit migration import image';
const OTHERS =
  'disregard ignore forget drop scrap skip discard disable turn off the a my our this that these it its in on of for and or but then ' +
  'earlier previous former prior old new newest latest current revised corrected right wrong first second next last only just all ' +
  'please sorry instead below attached here now one ones is are was were counts count applies use follow take read keep answer i we ' +
  'found sent safety docker nightly ci git no verify to with your you override again document section page missed';
const WORDS: ReadonlySet<string> = new Set(`${PIECES} ${CHECKS} ${OF_A_BUILD} ${OTHERS}`.split(' '));
/** That of a question, a page or an answer. */
const NUMBER = /^(?:[0-9]{1,4}|[a-e])$/;
const MOST_WORDS = 16;
const MOST_BYTES = 200;

const either = (words: string): string => `(?:${words.replaceAll(' ', '|')})`;
const TAKES_BACK = new RegExp(
  ` (?:earlier|previous|former|prior) ${either(PIECES)} | ${either(CHECKS)} (?:in|of|for|on) (?:the|my|our|this) (?:[a-z]+ )?${either(OF_A_BUILD)} `,
);

/** Whether `bytes[from..to)`, a whole text of so many words, is such a correction. */
export function isCorrection(bytes: Uint8Array, from: number, to: number, words: number): boolean {
  if (words > MOST_WORDS || to - from > MOST_BYTES) return false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from)
    .toString('latin1')
    .toLowerCase();
  const said = text.match(/[^\s!-/:-@[-`{-~]+/g) ?? [];
  return said.every((word) => WORDS.has(word) || NUMBER.test(word)) && TAKES_BACK.test(` ${said.join(' ')} `);
}
