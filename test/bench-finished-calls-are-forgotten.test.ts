import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import v8 from 'node:v8';
import { startChild } from '../bench/process.ts';
import type { LoadResult } from '../bench/load.ts';
import { createRoster, NOWHERE } from '../src/domain/roster.ts';
import { startGuard } from './helpers/guard.ts';

/** Whatever is in old space stays there, with all it holds, until a full collection; finished calls must not get there. */

function oldSpace(): number {
  return v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size;
}

test('a thousand finished calls leave next to nothing of themselves in old space', async (t) => {
  const sizes = { requestBytes: 2048, responseBytes: 1024 };
  const upstream = await startChild('upstream.js', sizes);
  const load = await startChild('load.js', sizes);
  const guard = await startGuard({
    upstreams: { 'llm-a': { url: `http://127.0.0.1:${upstream.port}`, wire: 'openai' } },
    config: { scanner: { enabled: false }, logging: { level: 'silent' } },
  });
  t.after(async () => {
    await guard.close();
    await load.close();
    await upstream.close();
  });
  const calls = async (requests: number): Promise<void> => {
    const task = { kind: 'closed', port: guard.port, prefix: '/llm-a', connections: 8, requests };
    assert.equal(((await load.ask(task)) as LoadResult).answered, requests);
  };
  await calls(2000);
  // A full collection in between makes a measurement too low, never too high: the most of several is the figure.
  const growth: number[] = [];
  for (let i = 0; i < 4; i += 1) {
    const before = oldSpace();
    await calls(1000);
    growth.push((oldSpace() - before) / 1000);
  }
  // In a young process some calls are always under way when the small heap is swept. One that is kept costs 13 KB or more.
  const perCall = growth.sort((a, b) => a - b)[2]!;
  assert.ok(perCall < 6000, `${Math.round(perCall)} bytes of each call went to old space`);
});

test('no function is written straight into a property: V8 would put it, and the call it closes over, into old space', () => {
  const atStart = new Set(['src/proxy/forward.ts: common.setupOutgoing', 'src/observe/metrics.ts: collect']);
  const found: string[] = [];
  for (const folder of [
    'src/http',
    'src/proxy',
    'src/proxy/stream',
    'src/routes',
    'src/scanner',
    'src/observe',
    'src',
  ]) {
    for (const name of readdirSync(join(process.cwd(), folder))) {
      if (!name.endsWith('.ts')) continue;
      const text = readFileSync(join(process.cwd(), folder, name), 'utf8');
      for (const [, left] of text.matchAll(
        /^ *\(?([\w.!]*[^;\n]*?\.\w+) = (?:async )?(?:function|\([^()]*\)(?:: [^=\n]+)? =>|\w+ =>)/gm,
      )) {
        const entry = `${folder}/${name}: ${left!.includes('common.') ? left : left!.split('.').pop()}`;
        if (!atStart.has(entry)) found.push(entry);
      }
    }
  }
  assert.deepEqual(found, []);
});

test('a roster visits everybody who stays while others leave, and forgets who left', () => {
  for (const leaving of [[0], [4], [1, 3], [0, 1, 2, 3, 4], [4, 0, 2]]) {
    const roster = createRoster<{ name: number; place: number }>();
    const members = Array.from({ length: 5 }, (_, name) => ({ name, place: NOWHERE }));
    for (const member of members) roster.add(member);
    const seen = new Set<number>();
    roster.each((member) => {
      if (seen.size === 0) for (const index of leaving) assert.equal(roster.remove(members[index]!), true);
      seen.add(member.name);
    });
    assert.equal(roster.size(), 5 - leaving.length);
    for (const { name } of members)
      if (!leaving.includes(name)) assert.ok(seen.has(name), `${name} of ${leaving.join()}`);
    for (const index of leaving) assert.equal(roster.remove(members[index]!), false);
  }
});
