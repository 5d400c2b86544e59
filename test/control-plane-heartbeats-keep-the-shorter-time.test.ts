/** Two may say how often an instance beats: its own configuration, and the control plane, which takes the silent for gone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS } from './helpers/control-plane.ts';
import { startGuard } from './helpers/guard.ts';
import { orders, serverOf, telling } from './helpers/puppet-plane.ts';

for (const [title, own, ordered, often] of [
  ['a time of its own that is shorter than that of the control plane is kept', 1, 30, true],
  ['a time of its own that is longer gives way, since the instance would seem to be gone', 30, 1, true],
  ['without a time of its own an instance beats as often as the control plane says', undefined, 1, true],
  ['without a time of its own an instance beats as seldom as the control plane says', undefined, 30, false],
] as const) {
  test(title, async (t) => {
    const { url, seen } = await serverOf(t, telling(orders({ heartbeat_s: ordered })));
    const guard = await startGuard({
      config: {
        scanner: { enabled: false },
        control_plane: { enabled: true, url, api_key: KEYS.fleet, ...(own === undefined ? {} : { heartbeat_s: own }) },
      },
    });
    t.after(() => guard.close());
    const beats = () => seen.filter((request) => request.url!.endsWith('/heartbeat')).length;
    for (let tries = 0; beats() < 3 && tries < 60; tries += 1) await sleep(100);
    assert.equal(beats() === 3, often, `${beats()} heartbeats`);
  });
}
