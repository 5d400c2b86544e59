/** docs/evasions.md, from one run of the matrix. */
import { PAYLOADS } from '../fixtures/payloads.ts';
import { ENCODERS, pairsOf } from './encoders.ts';
import {
  blockedShare,
  detectedShare,
  isMissed,
  PAIRS_SAMPLED,
  pairs,
  plainly,
  singles,
  stoppedTraps,
  tally,
  TRAPS,
  type Tally,
  type Try,
} from './evasion.ts';
import type { Guard } from './guard.ts';
import { percent, table } from './markdown.ts';

const ROWS: Readonly<Record<string, string>> = {
  X1: 'invisible characters',
  X2: 'direction of writing',
  X3: 'combining marks',
  X4: 'Unicode tags',
  X5: 'variation selectors',
  X6: 'look-alikes of other scripts',
  X7: 'other forms of letters',
  X8: 'other spaces',
  X9: 'edges of words',
  X10: 'leet',
  X11: 'letters apart',
  X12: 'order of letters and words',
  X13: 'shifted alphabets',
  X14: 'base64 and its kin',
  X15: 'codes of characters',
  X16: 'alphabets of signals',
  X17: 'nested and in pieces',
  X18: 'an order to decode',
  X20: 'hidden in markup',
  X21: 'templates of chats',
  X22: 'terminal codes',
  X23: 'padding',
  X24: 'adversarial noise',
};

export async function evasionPage(guard: Guard): Promise<string> {
  const plain = await plainly(guard);
  const alone = await singles(guard);
  const paired = await pairs(guard, PAIRS_SAMPLED);
  const stopped = await stoppedTraps(guard);
  const one = tally(alone);
  const two = tally(paired);
  return `# Evasions

<!-- Made by scripts/coverage-docs.mjs from a run of the matrix; nothing here is written by hand. -->

${ENCODERS.length} encoders, written apart from the decoders that they test, on ${PAYLOADS.length} attacks of four intents, through \`POST /check\` with the
shipped policy. No text says how it is to be decoded, unless that is the trick. *blocked* is the verdict \`block\`, or a refusal of
text that hides more than is unfolded; *warned* is the verdict \`warn\`, which encoding evasion by itself leads to.

${table(
  ['', 'Sent', 'Blocked', 'Warned', 'Missed', 'Blocked, share', 'Blocked or warned, share', 'Bar'],
  [
    ['as they are', ...figures(tally(plain)), '100 %'],
    ['one encoder', ...figures(one), '98 %'],
    [
      `two encoders, ${PAIRS_SAMPLED} drawn from ${pairsOf(ENCODERS).length * PAYLOADS.length}`,
      ...figures(two),
      '90 %',
    ],
  ],
)}

${verdictOn('One encoder', detectedShare(one), 0.98)} ${verdictOn('Two encoders', detectedShare(two), 0.9)}

Pairs are those that can be undone: nothing that loses capitals after a code that needs them, surroundings only last, and no more
than three layers of encoding together, which is as deep as the scanner unfolds by design.

## By kind

${table(
  ['Row', 'Kind', 'Encoders', 'Sent', 'Blocked', 'Warned', 'Missed'],
  Object.entries(ROWS).map(([name, kind]) => {
    const [sent = '', blocked = '', warned = '', missed = ''] = figures(
      tally(alone.filter(({ chain }) => chain[0]?.row === name)),
    );
    return [name, kind, String(ENCODERS.filter(({ row }) => row === name).length), sent, blocked, warned, missed];
  }),
)}

X19, other languages, is a matter of signatures and not of encoders; X25 to X27 are no encodings.

## What gets through, by encoder

${missesBy(alone)}

## What gets through in pairs, by kind

Of the pairs with a kind in either place, the share that is detected.

${table(
  ['Row', 'Kind', 'As the inner one', 'As the outer one'],
  Object.entries(ROWS)
    .map(([name, kind]) => [name, kind, shareWith(paired, name, 0), shareWith(paired, name, 1)])
    .filter(([, , inner, outer]) => inner !== '' || outer !== ''),
)}

## Honest texts

${TRAPS.length} honest texts of the same look - tokens, pictures, checksums, scripts with joiners, source code, logs, and the words of attacks in
other business - of which ${TRAPS.filter(({ quotes }) => quotes === true).length} quote an attack word for word, as articles and tests do, and cannot be told from one.
Blocked among the others: **${stopped.filter(({ told, quotes }) => !quotes && told.action !== 'warn' && told.action !== 'log').length}**, where none should be; warned about: ${stopped.filter(({ told, quotes }) => !quotes && told.action === 'warn').length}.

${table(
  ['Text', 'Verdict', 'Category', 'Quotes an attack'],
  stopped.map(({ name, told, quotes }) => [name, told.action, told.category ?? '', quotes ? 'yes' : 'no']),
)}
`;
}

function figures(counted: Tally): readonly string[] {
  const { sent, blocked, warned } = counted;
  return [
    ...[sent, blocked, warned, sent - blocked - warned].map(String),
    percent(blockedShare(counted)),
    percent(detectedShare(counted)),
  ];
}

function verdictOn(what: string, share: number, bar: number): string {
  return share >= bar
    ? `${what}: the bar holds.`
    : `**${what}: the bar of ${bar * 100} % does not hold; ${percent(share)} is reached.**`;
}

function missesBy(alone: readonly Try[]): string {
  const rows = ENCODERS.flatMap((encoder) => {
    const missed = alone
      .filter((tried) => tried.chain[0] === encoder && isMissed(tried))
      .map(({ payload }) => payload + 1);
    return missed.length === 0
      ? []
      : [[encoder.row, encoder.name, `${missed.length} of ${PAYLOADS.length}`, missed.join(', ')]];
  });
  if (rows.length === 0) return 'Nothing.';
  const attacks = PAYLOADS.map(({ intent, text }, at) => `${at + 1}. (${intent}) ${text}`).join('\n');
  return `${table(['Row', 'Encoder', 'Missed', 'Attacks'], rows)}\n\nThe attacks:\n\n${attacks}`;
}

function shareWith(paired: readonly Try[], row: string, place: number): string {
  const counted = tally(paired.filter(({ chain }) => chain[place]?.row === row));
  return counted.sent === 0 ? '' : `${percent(detectedShare(counted))} of ${counted.sent}`;
}
