import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ENCODERS } from './helpers/encoders.ts';
import { detectedShare, isMissed, PAIRS_SAMPLED, pairs, plainly, singles, tally, type Try } from './helpers/evasion.ts';
import { KNOWN_GAPS, REACHED } from './fixtures/evasion-gaps.ts';
import { startGuard, type Guard } from './helpers/guard.ts';
import { UNHURRIED } from './helpers/verdicts.ts';
import { PAYLOADS } from './fixtures/payloads.ts';
import { onRange } from './helpers/coverage.ts';

let guard: Guard;
let alone: readonly Try[];
before(async () => {
  guard = await startGuard({ config: UNHURRIED });
  alone = await singles(guard);
});
after(() => guard.close());

const missesOf = (tries: readonly Try[], encoder: string): readonly number[] =>
  tries.filter((tried) => tried.chain[0]?.name === encoder && isMissed(tried)).map(({ payload }) => payload + 1);

describe('an attack in disguise is found', () => {
  it('as it stands: all twelve are blocked', async () => {
    assert.deepEqual(
      (await plainly(guard))
        .filter(({ told }) => told.action !== 'block')
        .map(({ payload }) => PAYLOADS[payload]?.text),
      [],
    );
  });

  for (const { row, name } of ENCODERS) {
    const known = KNOWN_GAPS[name] ?? 0;
    it(`${row} ${name}: ${known === 0 ? 'every time' : `but for ${known} of ${PAYLOADS.length}`}`, () => {
      const missed = missesOf(alone, name);
      assert.ok(missed.length <= known, `let through: attacks ${missed.join(', ')}`);
    });
  }

  it(`in one encoding, ${REACHED.singles * 100} times in a hundred`, () => {
    assert.ok(detectedShare(tally(alone)) >= REACHED.singles, JSON.stringify(tally(alone)));
  });

  it(`in two encodings, ${REACHED.pairs * 100} times in a hundred`, async () => {
    const counted = tally(await pairs(guard, PAIRS_SAMPLED));
    assert.ok(detectedShare(counted) >= REACHED.pairs, JSON.stringify(counted));
  });

  it('in a chat as in POST /check, and then the upstream sees nothing of it', async () => {
    await onRange({}, async (range) => {
      let blocked = 0;
      const differing: string[] = [];
      for (const [at, encoder] of ENCODERS.entries()) {
        const tried = alone.find(({ chain, payload }) => chain[0] === encoder && payload === at % PAYLOADS.length);
        const content = encoder.encode(PAYLOADS[at % PAYLOADS.length]?.text ?? '');
        const { ending } = await range.send({
          wire: 'openai',
          path: '/v1/chat/completions',
          headers: { 'content-type': 'application/json' },
          bytes: Buffer.from(JSON.stringify({ messages: [{ role: 'user', content }] })),
        });
        if (ending !== 'forwarded') blocked++;
        if ((tried?.told.action === 'block') !== (ending === 'blocked')) differing.push(encoder.name);
      }
      assert.deepEqual(differing, []);
      assert.equal(range.reached(), ENCODERS.length - blocked);
    });
  });
});
