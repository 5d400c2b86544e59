import assert from 'node:assert/strict';
import test from 'node:test';
import { stringify } from 'yaml';
import { masked } from '../src/config/mask.ts';
import { schema } from '../src/config/schema.ts';
import { entryOf, secretOf, sectionOf } from '../src/config/shape.ts';
import { configOf } from './helpers/config.ts';

const SECRETS = `
control_plane: { enabled: true, url: "https://plane", api_key: planted-api-key }
rate_limit: { store: "rediss://planteduser:plantedpass@redis.internal:6380/2" }
auth: { keys: [{ id: ci, sha256: ${'ab'.repeat(32)}, scopes: [check] }] }
scanner: { response: { canaries: [planted-canary, planted-canary-two] } }
`;

test('no secret is left in what may be shown, and everything else is', () => {
  const shown = stringify(masked(configOf(SECRETS)));
  assert.doesNotMatch(shown, /planted|abab/);
  assert.match(shown, /api_key: "?\*\*\*/);
  assert.match(shown, /store: rediss:\/\/\*\*\*:\*\*\*@redis\.internal:6380\/2/);
  assert.match(shown, /id: ci/);
  assert.match(shown, /url: https:\/\/plane/);
});

test('what is absent or no secret stays as it is', () => {
  const config = configOf('rate_limit: { store: "redis://h:1/0" }');
  const shown = masked(config) as typeof config;
  assert.equal(shown.control_plane.api_key, null);
  assert.equal(shown.rate_limit.store, 'redis://h:1/0');
  assert.deepEqual(JSON.parse(JSON.stringify(shown)), JSON.parse(JSON.stringify(config)));
});

test('every key whose name speaks of a secret is marked as one in the schema', () => {
  const found: string[] = [];
  const visit = (at: Parameters<typeof secretOf>[0], path: string): void => {
    const section = sectionOf(at);
    const entry = entryOf(at);
    if (secretOf(at) !== null) found.push(path);
    else if (/(^|\.)(.*key|.*secret.*|.*password.*|.*token|sha256)$/.test(path) && section === null)
      assert.fail(`${path} is not marked`);
    for (const [key, under] of Object.entries(section ?? {})) visit(under, path === '' ? key : `${path}.${key}`);
    if (entry !== null) visit(entry, `${path}[]`);
  };
  visit(schema, '');
  assert.deepEqual(found.sort(), [
    'auth.keys[].sha256',
    'control_plane.api_key',
    'rate_limit.store',
    'scanner.response.canaries[]',
  ]);
});
