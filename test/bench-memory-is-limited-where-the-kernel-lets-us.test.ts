import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { limitMemory } from '../bench/memory-limit.ts';

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'guard-bench-limit-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test('where there is nothing to hold a limit nothing is held, nothing is counted, and nothing is left behind', (t) => {
  const root = folder(t);
  // A folder that the kernel does not fill: a group can be made in it and no limit can be set.
  const plain = { root, limit: 'memory.max', peak: 'memory.peak', pressure: () => 0 };
  const limit = limitMemory(512, [plain, { ...plain, root: join(root, 'nowhere') }]);
  assert.equal(limit.held, 'none');
  limit.admit(process.pid);
  assert.deepEqual([limit.peakMb(), limit.pressed()], [null, null]);
  limit.remove();
  assert.deepEqual(readdirSync(root), []);
});

test('a real limit counts the memory of whoever is in it', async (t) => {
  const limit = limitMemory(256);
  t.after(() => limit.remove());
  if (limit.held === 'none') return t.skip('the kernel does not let us');
  const script =
    'process.stdin.once("data", () => { globalThis.kept = Buffer.alloc(60 * 2 ** 20, 1); console.log("full"); });';
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
  limit.admit(child.pid!);
  child.stdin.write('go\n');
  await new Promise((resolve) => child.stdout.once('data', resolve));
  assert.ok(limit.peakMb()! > 60, String(limit.peakMb()));
  assert.equal(limit.pressed(), 0);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  limit.remove();
  assert.deepEqual(groupsOf(process.pid), []);
});

function groupsOf(pid: number): string[] {
  return ['/sys/fs/cgroup/memory', '/sys/fs/cgroup']
    .filter((root) => existsSync(root))
    .flatMap((root) => readdirSync(root).filter((name) => name.startsWith(`guard-bench-${pid}-`)));
}

test('a group whose bound cannot be set is given up, and the next interface asked', (t) => {
  const root = folder(t);
  // The name of the limit is the group itself: it is there, and it cannot be written to.
  const made = { root, limit: '.', peak: 'memory.peak', pressure: () => 0 };
  assert.equal(limitMemory(64, [made]).held, 'none');
  assert.deepEqual(readdirSync(root), []);
});
