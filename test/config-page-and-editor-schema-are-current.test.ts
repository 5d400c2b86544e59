import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { parse } from 'yaml';
import * as z from 'zod';
import { defaultConfigFile } from '../src/config/load.ts';
import { schema } from '../src/config/schema.ts';
import { entryOf, isList, sectionOf } from '../src/config/shape.ts';
import { BUILD_OUT, runNode } from './helpers/cli.ts';

for (const script of ['config-schema', 'config-docs']) {
  test(`what scripts/${script}.mjs would write is what is there`, async () => {
    const { code, stderr } = await runNode([`scripts/${script}.mjs`, '--check'], { GUARD_BUILD_OUT: BUILD_OUT });
    assert.equal(code, 0, stderr);
  });
}

test('the schema for editors accepts the bundled file and references, and refuses a wrong key or value', () => {
  const editor = z.fromJSONSchema(
    JSON.parse(readFileSync('config.schema.json', 'utf8')) as Parameters<typeof z.fromJSONSchema>[0],
  );
  const bundled: unknown = parse(readFileSync(defaultConfigFile(), 'utf8'));
  assert.equal(editor.safeParse(bundled).success, true);
  assert.equal(editor.safeParse({ server: { port: '${PORT:-8080}' } }).success, true);
  assert.equal(editor.safeParse({ server: { port: 'many' } }).success, false);
  assert.equal(editor.safeParse({ server: { prt: 1 } }).success, false);
  assert.equal(editor.safeParse({ upstreams: { a: {} } }).success, false);
});

test('every key has a description', () => {
  const visit = (at: z.core.$ZodType, path: string): void => {
    const section = sectionOf(at);
    for (const [key, under] of Object.entries(section ?? {})) {
      const name = path === '' ? key : `${path}.${key}`;
      // The roles of a partial policy are described where the policy is.
      if (!/\.policy\.roles\.|\.shadow\.roles\./.test(name)) {
        assert.ok(((under as z.ZodType).description ?? '').length > 3, name);
      }
      visit(under, name);
    }
    const entry = entryOf(at);
    if (entry !== null) visit(entry, isList(at) ? `${path}[]` : `${path}.NAME`);
  };
  visit(schema, '');
});
