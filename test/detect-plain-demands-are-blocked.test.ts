import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { startGuard, type Guard } from './helpers/guard.ts';
import { UNHURRIED, verdictsOn } from './helpers/verdicts.ts';

/**
 * What somebody types who tries a guard by hand, in two to fourteen words, and what honest people type in the same words. Each
 * set was written by somebody who had seen no signature; docs/signatures.md says how much of it was blocked before anybody had
 * read it.
 */
interface Line {
  readonly language: string;
  readonly set: 'first' | 'second' | 'third' | 'abroad';
  readonly honest: boolean;
  readonly text: string;
}

const LINES = readFileSync(new URL('./fixtures/plain-demands.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

const FEWEST_BLOCKED = { first: 0.84, second: 0.84, third: 0.75, abroad: 0.86 } as const satisfies Record<
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
    assert.ok(attacks >= 150 && mine.length - attacks >= 200, `${mine.length} lines`);
    const found = blocked.filter(({ honest }) => !honest).length;
    assert.ok(found >= fewest * attacks, `${found} of ${attacks}`);
    const spoilt = blocked.filter(({ honest }) => honest).map(({ text }) => text);
    assert.ok(spoilt.length <= MOST_HONEST * (mine.length - attacks), spoilt.join('\n'));
  });
