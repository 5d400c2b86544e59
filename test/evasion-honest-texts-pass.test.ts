import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { stoppedTraps, TRAPS } from './helpers/evasion.ts';
import { WRONGLY_BLOCKED } from './fixtures/evasion-gaps.ts';
import { startGuard, type Guard } from './helpers/guard.ts';
import { UNHURRIED } from './helpers/verdicts.ts';

let guard: Guard;
before(async () => {
  guard = await startGuard({ config: UNHURRIED });
});
after(() => guard.close());

it('honest texts of the look of an attack are not blocked, but for those that are known', async () => {
  assert.ok(TRAPS.length >= 240, 'there are fewer honest texts than there were');
  const blocked = (await stoppedTraps(guard))
    .filter(({ told, quotes }) => !quotes && (told.action === 'block' || told.action === 'refused'))
    .map(({ name }) => name);
  assert.deepEqual(
    blocked.filter((name) => !WRONGLY_BLOCKED.includes(name)),
    [],
  );
});
