import assert from 'node:assert/strict';
import test from 'node:test';
import { BUILD_OUT, runNode } from './helpers/cli.ts';

test('docs/commands.md shows the help of every command as it is', async () => {
  const { code, stderr } = await runNode(['scripts/commands-docs.mjs', '--check'], { GUARD_BUILD_OUT: BUILD_OUT });
  assert.equal(code, 0, stderr);
});
