import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from './helpers/cli.ts';
import { KEYS } from './helpers/control-plane.ts';
import { startGuard } from './helpers/guard.ts';
import { orders, serverOf, telling } from './helpers/puppet-plane.ts';

async function lineOf(fleet: object, msg: string): Promise<Record<string, unknown>> {
  const guard = await startGuard({
    config: { scanner: { enabled: false }, control_plane: { enabled: true, api_key: KEYS.fleet, ...fleet } },
  });
  try {
    for (let tries = 0; tries < 100; tries += 1) {
      const line = guard.logs().find((each) => each.includes(msg));
      if (line !== undefined) return JSON.parse(line) as Record<string, unknown>;
      await sleep(50);
    }
    return assert.fail(`never said: ${msg}`);
  } finally {
    await guard.close();
  }
}
const AWAY = 'the control plane is not reached';

test('an address that redirects, as from http to https, is told as such', async (t) => {
  const { url } = await serverOf(t, (_request, response) => {
    response.writeHead(301, { location: 'https://control.example' }).end();
  });
  assert.equal((await lineOf({ url }, AWAY))['reason'], 'it redirects: give the address that it redirects to');
});

test('a port that is never called is told as such, and one where nobody listens by its code', async () => {
  const barred = await lineOf({ url: 'http://127.0.0.1:1' }, AWAY);
  assert.equal(barred['reason'], 'the port of its address is one that no HTTP client calls');
  assert.equal((await lineOf({ url: 'http://127.0.0.1:3' }, AWAY))['reason'], 'ECONNREFUSED');
});

test('a folder that takes nothing is named, with the reason', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  // A file where the folder should be: permissions would not keep an administrator out.
  const inTheWay = join(folder.file('file', ''), 'fleet');
  const { url } = await serverOf(t, telling(orders()));
  const line = await lineOf({ url, folder: inTheWay }, 'cannot be kept on the disk');
  assert.deepEqual([line['level'], line['file'], line['error_code']], ['warn', inTheWay, 'ENOTDIR']);
});
