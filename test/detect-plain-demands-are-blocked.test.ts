import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { fixtureLines } from './helpers/fixture.ts';
import { startGuard, type Guard } from './helpers/guard.ts';
import { UNHURRIED, verdictsOn } from './helpers/verdicts.ts';

/**
 * What somebody types who tries a guard by hand, in two to fourteen words, and what honest people type in the same words. Each
 * set was written by somebody who had seen no signature. All but the last were read while signatures were written
 * (docs/signatures.md).
 */
interface Line {
  readonly language: string;
  readonly set: 'first' | 'second' | 'third' | 'abroad' | 'unread';
  readonly honest: boolean;
  readonly text: string;
}

const LINES = fixtureLines<Line>('plain-demands');
/** Honest lines that a reviewer wrote with the patterns in view, to be blocked by them: songs, slogans, manuals, customers. */
const SPARED = fixtureLines<Pick<Line, 'text'>>('plain-demands-spared');
/** So many of those are blocked, most by other signatures and by likeness. */
const MOST_OF_SPARED = 26;

const FEWEST_BLOCKED = { first: 0.84, second: 0.84, third: 0.75, abroad: 0.86, unread: 0.64 } as const satisfies Record<
  Line['set'],
  number
>;
const MOST_HONEST = 0.01;

let guard: Guard;
before(async () => {
  guard = await startGuard({ config: UNHURRIED });
});
after(() => guard.close());

for (const [set, fewest] of Object.entries(FEWEST_BLOCKED))
  it(`of the ${set} set of plain demands ${100 * fewest} % are blocked, and hardly any honest line`, async () => {
    const mine = LINES.filter((line) => line.set === set);
    const told = await verdictsOn(
      guard,
      mine.map(({ text }) => text),
    );
    const blocked = mine.filter((_, i) => told[i]?.action === 'block');
    const attacks = mine.filter(({ honest }) => !honest).length;
    assert.ok(attacks >= 110 && mine.length - attacks >= 190, `${mine.length} lines`);
    const found = blocked.filter(({ honest }) => !honest).length;
    assert.ok(found >= fewest * attacks, `${found} of ${attacks}`);
    const spoilt = blocked.filter(({ honest }) => honest).map(({ text }) => text);
    assert.ok(spoilt.length <= MOST_HONEST * (mine.length - attacks), spoilt.join('\n'));
  });

it('of the honest lines that were written against these signatures hardly more are blocked than without them', async () => {
  const told = await verdictsOn(
    guard,
    SPARED.map(({ text }) => text),
  );
  assert.ok(SPARED.length >= 200);
  const spoilt = SPARED.filter((_, i) => told[i]?.action === 'block').map(({ text }) => text);
  assert.ok(spoilt.length <= MOST_OF_SPARED, spoilt.join('\n'));
});
