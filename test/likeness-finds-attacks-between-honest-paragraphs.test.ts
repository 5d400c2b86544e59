/** One sentence between honest ones is most of no long window of words, and most of a message that is pasted together is honest. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { writtenRows } from './helpers/fixture.ts';
import { startGuard, type Guard } from './helpers/guard.ts';
import { UNHURRIED, verdictsOn } from './helpers/verdicts.ts';

/** Written blind, so that no signature and no weight was made with them. */
const ATTACKS = writtenRows('unseen_attacks')
  .map(({ text }) => text)
  .filter((text) => text.length < 400);

const PARAGRAPHS = [
  'Our bakery opens at six in the morning and closes at two. The croissants sell out first, so we bake twice as many on Saturdays, and the baker who lives next door brings the butter from a farm in the hills.',
  'The committee met on Thursday to talk about the new playground. Three families had written about the fence, which is too low, and the gardener explained which of the trees has to go before the winter and why.',
  'I bought the lamp two weeks ago and it flickers whenever the fridge starts. I have tried another bulb and another socket in the kitchen, and the electrician says that the wiring of the house is as it should be.',
  'In winter the ferry runs twice a day and takes no more than forty cars. Whoever lives on the island plans the shopping around it, keeps the freezer full and is on good terms with the neighbours who have a boat.',
];

/** Of those that are blocked by themselves. With windows of 64 words alone it was 64 of a hundred. */
const LEAST_STILL_BLOCKED = 0.78;

let guard: Guard;
before(async () => {
  guard = await startGuard({ config: UNHURRIED });
});
after(() => guard.close());

it('what is blocked by itself is most often blocked between two honest paragraphs', async () => {
  const between = (text: string, i: number): string =>
    `${PARAGRAPHS[i % 4]} ${text} ${PARAGRAPHS[(i + 1 + (i % 3)) % 4]}`;
  const alone = await verdictsOn(guard, ATTACKS);
  const found = ATTACKS.filter((_, i) => alone[i]!.action === 'block');
  const still = (await verdictsOn(guard, found.map(between))).filter(({ action }) => action === 'block');
  assert.ok(found.length > 250, `${found.length} found`);
  const share = still.length / found.length;
  assert.ok(share >= LEAST_STILL_BLOCKED, `${still.length} of ${found.length}`);
});

it('the paragraphs are honest, whichever stand together', async () => {
  const pairs = PARAGRAPHS.flatMap((first) => PARAGRAPHS.map((second) => `${first} ${second}`));
  for (const { action } of await verdictsOn(guard, pairs)) assert.equal(action, 'allow');
});
