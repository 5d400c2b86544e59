import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { coveragePage } from '../helpers/coverage-page.ts';
import { evasionPage } from '../helpers/evasion-page.ts';
import { startGuard } from '../helpers/guard.ts';
import { UNHURRIED } from '../helpers/verdicts.ts';

const ADVICE = 'is not current: node scripts/coverage-docs.mjs';

it('docs/coverage.md shows the whole matrix, and it has no hole', async () => {
  const page = await coveragePage();
  assert.match(page, /neither blocked nor refused: \*\*0\*\*; requests that reached the upstream: \*\*0\*\*/);
  assert.equal(readFileSync('docs/coverage.md', 'utf8'), page, `docs/coverage.md ${ADVICE}`);
});

it('docs/evasions.md shows what one and two encodings hide', async () => {
  const guard = await startGuard({ config: UNHURRIED });
  try {
    assert.equal(readFileSync('docs/evasions.md', 'utf8'), await evasionPage(guard), `docs/evasions.md ${ADVICE}`);
  } finally {
    await guard.close();
  }
});
