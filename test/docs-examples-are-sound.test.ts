/** Whoever copies an example from a page has something that works. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { parse } from 'yaml';
import { parseConfig } from '../src/config/load.ts';
import { schema } from '../src/config/schema.ts';
import { guard, temporaryFolder } from './helpers/cli.ts';
import { startGuard } from './helpers/guard.ts';

interface Example {
  readonly page: string;
  readonly text: string;
  readonly keys: readonly string[];
}

const PAGES = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);
/** What a reader has to fill in, as one who has filled it in. */
const FILLED = [
  ['"ed25519:..."', `"ed25519:${'A'.repeat(43)}"`],
  ['api_key_file: /run/secrets/guard-fleet-key', 'api_key: a-key'],
] as const;

const examples: readonly Example[] = PAGES.flatMap((page) => {
  const found = readFileSync(join(process.cwd(), page), 'utf8').matchAll(/^( *)```yaml\n([^]*?)^ *```$/gm);
  return [...found].map(([, indent, block]) => {
    const lines = block!.split('\n').map((line) => line.slice(indent!.length));
    const text = FILLED.reduce((whole, [from, to]) => whole.replaceAll(from, to), lines.join('\n'));
    return { page, text, keys: Object.keys((parse(text) ?? {}) as object) };
  });
});
const ofSignatures = examples.filter(({ text }) => /^(?:signatures|intents):\n +- /m.test(text));
const ofConfig = examples.filter(
  (example) => !ofSignatures.includes(example) && example.keys.every((key) => Object.hasOwn(schema.shape, key)),
);

test('every example of signatures passes guard signatures lint', async (t: TestContext) => {
  assert.ok(ofSignatures.length >= 3, String(ofSignatures.length));
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const files = ofSignatures.map(({ text }, i) => folder.file(`${i}.yaml`, text));
  const { code, stderr } = await guard(['signatures', 'lint', ...files]);
  assert.equal(code, 0, stderr);
});

test('every example of a configuration is valid, beside the upstreams that it speaks of', () => {
  assert.ok(ofConfig.length >= 4, String(ofConfig.length));
  const upstreams = ['llm-a', 'llm-b'].map((name) => `  ${name}: { url: 'https://example.org' }\n`).join('');
  for (const { page, text, keys } of ofConfig) {
    const whole = keys.includes('upstreams') ? text : `${text}\nupstreams:\n${upstreams}`;
    const { problems } = parseConfig(whole, { file: page, env: {} });
    assert.deepEqual(problems, [], `${page}\n${whole}`);
  }
});

test('POST /check answers what the pages show', async (t: TestContext) => {
  const asked = /\/check [^\n]*-d '(\{"text":[^\n]*\})'\n```\n+```json\n(\{.*\})\n```/g;
  const shown = PAGES.flatMap((page) => Array.from(readFileSync(page, 'utf8').matchAll(asked)));
  assert.ok(shown.length >= 2, String(shown.length));
  const service = await startGuard();
  t.after(() => service.close());
  for (const [, body, answer] of shown) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${service.url}/check`, { method: 'POST', headers, body: body! });
    assert.equal(await response.text(), answer);
  }
});
