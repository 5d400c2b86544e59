/** Detection on the public corpora that lie beside the clone, against the line of bench/floors.json. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { it } from 'node:test';
import { CORPORA, FLOORS } from '../../bench/detect.ts';
import { guard } from '../helpers/cli.ts';

const folder = resolve(process.env['GUARD_CORPORA'] ?? CORPORA);
const skip = existsSync(folder) ? false : `there is no folder ${folder}: detection is NOT measured here`;
if (skip !== false) console.log(`# ${skip}`);

it('no corpus is detected worse than bench/floors.json allows', { skip, timeout: 600_000 }, async () => {
  const { code, stdout, stderr } = await guard(['eval', folder, '--floors', FLOORS]);
  assert.equal(code, 0, `${stdout.slice(stdout.indexOf('\n| floor '))}\n${stderr}`);
  assert.match(stdout, /^all \d\d floors hold$/m);
});
