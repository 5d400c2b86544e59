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
  X2: 'text direction',
  X3: 'combining marks',
  X4: 'Unicode tags',
  X5: 'variation selectors',
  X6: 'look-alikes from other scripts',
  X7: 'other letter forms',
  X8: 'other spaces',
  X9: 'word boundaries',
  X10: 'leet',
  X11: 'letters set apart',
  X12: 'order of letters and words',
  X13: 'shifted alphabets',
  X14: 'base64 and similar',
  X15: 'character codes',
  X16: 'Morse, braille and other alphabets',
  X17: 'nested or in pieces',
  X18: 'an order to decode',
  X20: 'hidden in markup',
  X21: 'chat templates',
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

This page shows how many attacks guard finds when they are encoded or disguised, and which ones get through. It is the result of a
test that sends ${PAYLOADS.length} attacks of four intents through ${ENCODERS.length} encoders to \`POST /check\`, under the default policy.

- The encoders were written without looking at the decoders that they test.
- No text says how it is to be decoded, except where such an order is the evasion itself (X18).
- *Blocked* is the verdict \`block\`, or a refusal of text with more hidden content than guard decodes.
- *Warned* is the verdict \`warn\`, which encoding by itself leads to by default.
- *Missed* is every other verdict.
- *Bar* is the share that must be blocked or warned about.

${table(
  ['', 'Sent', 'Blocked', 'Warned', 'Missed', 'Blocked, share', 'Blocked or warned, share', 'Bar'],
  [
    ['unchanged', ...figures(tally(plain)), '100 %'],
    ['one encoder', ...figures(one), '98 %'],
    [
      `two encoders, ${PAIRS_SAMPLED} drawn from ${pairsOf(ENCODERS).length * PAYLOADS.length}`,
      ...figures(two),
      '90 %',
    ],
  ],
)}

${verdictOn('One encoder', detectedShare(one), 0.98)} ${verdictOn('Two encoders', detectedShare(two), 0.9)}

Only pairs that can be decoded again are drawn: an encoder that loses upper case does not follow one that needs it, surroundings
are added last, and there are at most three layers of encoding together. The scanner decodes no deeper than that by design.

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

The row numbers are those of a catalog of text evasions. X19, other languages, is a matter of signatures and not of encoders. X25
to X27 are not encodings.

## What gets through with one encoder

${missesBy(alone)}

## What is found with two encoders

Each row shows the share of pairs that is blocked or warned about, when an encoder of this kind is applied first (inner) or second
(outer).

${table(
  ['Row', 'Kind', 'As the inner encoder', 'As the outer encoder'],
  Object.entries(ROWS)
    .map(([name, kind]) => [name, kind, shareWith(paired, name, 0), shareWith(paired, name, 1)])
    .filter(([, , inner, outer]) => inner !== '' || outer !== ''),
)}

## Honest texts

The test also sends ${TRAPS.length} honest texts that look like encoded attacks: tokens, images, checksums, scripts with joiners, source code,
logs, and the words of attacks in other contexts. ${TRAPS.filter(({ quotes }) => quotes === true).length} of them quote an attack word for word, as articles and tests do, and cannot be
told from one.

Of the other honest texts **${stopped.filter(({ told, quotes }) => !quotes && told.action !== 'warn' && told.action !== 'log').length}** are blocked, where none should be, and ${stopped.filter(({ told, quotes }) => !quotes && told.action === 'warn').length} are warned about. All texts that did not simply pass:

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
    ? `${what}: the bar is met.`
    : `**${what}: the bar of ${bar * 100} % is not met; ${percent(share)} is reached.**`;
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
