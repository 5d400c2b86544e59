import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import test from 'node:test';
import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { defaultConfigFile, loadConfig } from '../src/config/load.ts';
import { ROLES } from '../src/domain/passage.ts';
import { ACTIONS, CATEGORIES } from '../src/domain/verdict.ts';
import { configOf, problemsOf, warningsOf } from './helpers/config.ts';

const upstream = (policy: string) =>
  `upstreams: { a: { url: "http://a", policy: ${policy} }, b: { url: "http://b" } }\n`;

test('the bundled file means the defaults of the schema and the two upstreams of the specification', () => {
  const bundled = loadConfig({ file: defaultConfigFile(), env: {} });
  const said = configOf(
    'upstreams: { llm-a: { url: "https://api.openai.com", wire: openai }, llm-b: { url: "https://api.anthropic.com", wire: anthropic } }',
  );
  assert.deepEqual(bundled.config, said);
  assert.deepEqual(bundled.warnings, []);
  const moved = loadConfig({
    file: defaultConfigFile(),
    env: { GUARD_UPSTREAM_A_URL: 'http://a', GUARD_UPSTREAM_B_URL: 'http://b' },
  });
  assert.deepEqual(
    Object.values(moved.config?.upstreams ?? {}).map(({ url }) => url),
    ['http://a', 'http://b'],
  );
});

test('a file that says nothing of upstreams has the two that ship, and one that says none has none', () => {
  const shipped = loadConfig({ file: defaultConfigFile(), env: {} }).config?.upstreams;
  const little = configOf('security: { failure_mode: closed }');
  assert.deepEqual(little.upstreams, shipped);
  assert.equal(little.security.failure_mode, 'closed');
  assert.deepEqual(warningsOf('security: { failure_mode: closed }'), []);
  assert.deepEqual(Object.keys(configOf('upstreams: {}').upstreams), []);
  assert.deepEqual(Object.keys(configOf('upstreams: { mine: { url: "http://h" } }').upstreams), ['mine']);
});

test('an upstream has the name that is written, also where YAML would read a number, a truth or nothing', () => {
  const names = ['007', '1.0', '0x10', '1e3', 'true', 'Null', '7'];
  const { upstreams } = configOf(`upstreams:\n${names.map((name) => `  ${name}: { url: "http://h" }\n`).join('')}`);
  assert.deepEqual(Object.keys(upstreams).sort(), names.sort());
  assert.match(
    problemsOf('upstreams:\n  : { url: "http://h" }\n').join(),
    /a name becomes the first segment of a path/,
  );
});

test('the upstreams that ship are moved by their variables, and a wrong one is told with the name of its variable', () => {
  const env = { GUARD_UPSTREAM_A_URL: 'http://a', GUARD_UPSTREAMS__LLM_B__URL: 'http://b' };
  assert.deepEqual(
    Object.values(configOf('server: { port: 81 }', { env }).upstreams).map(({ url }) => url),
    ['http://a', 'http://b'],
  );
  const [problem = '', ...more] = problemsOf('server: { port: 81 }', { env: { GUARD_UPSTREAM_A_URL: 'a' } });
  assert.match(
    problem,
    /default\.yaml:\d+:\d+ upstreams\.llm-a\.url: expected .*; the value is from GUARD_UPSTREAM_A_URL$/,
  );
  assert.deepEqual(more, []);
  // What else stands in the shipped file lends no place to what the file at hand does not say.
  assert.match(problemsOf('metrics: { path: /llm-a/metrics }').join('\n'), /^c\.yaml:1:18 metrics\.path/);
});

test('the bundled file begins with the line by which editors find the schema', () => {
  const [first = ''] = readFileSync(defaultConfigFile(), 'utf8').split('\n');
  assert.match(first, /^# yaml-language-server: \$schema=\S*config\.schema\.json$/);
});

test("attacks block by default, encoded text warns, and a secret is a leak in an answer and nobody else's business in a prompt", () => {
  const { categories } = configOf('').policy;
  assert.deepEqual(categories, {
    'prompt-injection': { action: 'block', request_action: 'block', sensitivity: 0.5 },
    jailbreak: { action: 'block', request_action: 'block', sensitivity: 0.5 },
    'encoding-evasion': { action: 'warn', request_action: 'warn', sensitivity: 0.5 },
    'sensitive-data': { action: 'block', request_action: 'allow', sensitivity: 0.5 },
  });
});

test('one default action of log makes a dry run of everything', () => {
  const { categories } = configOf('policy: { default_action: log }').policy;
  for (const name of CATEGORIES) {
    const onRequests = name === 'sensitive-data' ? 'allow' : 'log';
    assert.deepEqual([categories[name].action, categories[name].request_action], ['log', onRequests], name);
  }
});

test('an action that is said for a category also holds for requests, unless they are given their own', () => {
  const { categories } = configOf(
    'policy: { categories: { jailbreak: { action: warn }, sensitive-data: { request_action: block } } }',
  ).policy;
  assert.deepEqual(categories.jailbreak, { action: 'warn', request_action: 'warn', sensitivity: 0.5 });
  assert.deepEqual(categories['sensitive-data'], { action: 'block', request_action: 'block', sensitivity: 0.5 });
});

test('an upstream overrides the policy key by key and keeps the rest', () => {
  const { upstreams, policy } = configOf(
    `${upstream('{ sensitivity: 0.9, categories: { jailbreak: { action: log } }, roles: { system: block } }')}
policy: { sensitivity: 0.4, categories: { jailbreak: { sensitivity: 0.2 } }, exclusions: [{ category: jailbreak, reason: r }] }`,
  );
  const mine = upstreams['a']!.policy;
  assert.equal(mine.sensitivity, 0.9);
  assert.deepEqual(mine.categories.jailbreak, { action: 'log', request_action: 'log', sensitivity: 0.2 });
  assert.deepEqual(mine.categories['prompt-injection'], { action: 'block', request_action: 'block', sensitivity: 0.9 });
  assert.deepEqual([mine.roles.system, mine.roles.developer], ['block', 'warn']);
  assert.deepEqual(mine.exclusions, policy.exclusions);
  assert.deepEqual(upstreams['b']!.policy, policy);
});

test('the default action of an upstream reaches every category that nobody spoke about', () => {
  const { upstreams } = configOf(
    `${upstream('{ default_action: log }')}policy: { categories: { jailbreak: { action: block } } }`,
  );
  const { categories } = upstreams['a']!.policy;
  assert.deepEqual(
    [categories['prompt-injection'].action, categories['encoding-evasion'].action, categories.jailbreak.action],
    ['log', 'log', 'block'],
  );
});

test('a shadow is the enforced policy with differences, for each upstream on top of its own', () => {
  const { upstreams, policy } = configOf(
    `${upstream('{ default_action: warn }')}policy: { shadow: { sensitivity: 0.9 } }`,
  );
  assert.equal(policy.shadow?.sensitivity, 0.9);
  assert.equal(policy.shadow?.categories.jailbreak.action, 'block');
  assert.equal(policy.shadow?.categories.jailbreak.sensitivity, 0.9);
  assert.equal(upstreams['a']!.policy.shadow?.sensitivity, 0.9);
  assert.equal(upstreams['a']!.policy.shadow?.categories.jailbreak.action, 'warn');
  const without = configOf(`${upstream('{ shadow: null }')}policy: { shadow: { sensitivity: 0.9 } }`).upstreams;
  assert.equal(without['a']!.policy.shadow, null);
  assert.notEqual(without['b']!.policy.shadow, null);
});

test('every category and role is present in every policy', () => {
  const { upstreams, policy } = configOf(upstream('{}'));
  for (const each of [policy, upstreams['a']!.policy]) {
    assert.deepEqual(Object.keys(each.categories), [...CATEGORIES]);
    assert.deepEqual(Object.keys(each.roles), [...ROLES]);
  }
});

test('auto threads are the cores up to eight, and no categories for responses are all of them', () => {
  const { scanner } = configOf('');
  assert.equal(scanner.threads, Math.min(Math.max(availableParallelism(), 2), 8));
  assert.deepEqual(scanner.response.categories, [...CATEGORIES]);
});

test('paths are taken from the folder of the file, hashes and addresses in one spelling', () => {
  const config = configOf(
    `signatures: { paths: [mine, /abs] }\nauth: { keys: [{ id: a, sha256: ${'AB'.repeat(32)}, scopes: [check] }] }\npolicy: { exclusions: [{ signature: s, client: "2001:DB8:0::1", reason: r }, { signature: s, client: "::ffff:10.0.0.1", reason: r }, { signature: s, client: "::ffff:a00:1", reason: r }, { signature: s, client: "0:0:0:0:0:FFFF:10.0.0.1", reason: r }] }`,
    { file: '/etc/guard/config.yaml' },
  );
  assert.deepEqual(config.signatures.paths, [join('/etc/guard', 'mine'), resolve('/abs')]);
  assert.equal(config.auth.keys[0]?.sha256, 'ab'.repeat(32));
  assert.deepEqual(
    config.policy.exclusions.map(({ client }) => client),
    ['2001:db8::1', '10.0.0.1', '10.0.0.1', '10.0.0.1'],
  );
});

test('a configuration cannot be changed once it is made', () => {
  const config = configOf(upstream('{}'));
  assert.throws(() => ((config.server as { port: number }).port = 1), TypeError);
  assert.throws(() => ((config.upstreams['a']!.policy.roles as { user: string }).user = 'allow'), TypeError);
});

test('what a configuration means is itself a configuration that means the same', () => {
  const action = fc.constantFrom(...ACTIONS);
  const ratio = fc.integer({ min: 0, max: 100 }).map((value) => value / 100);
  const category = fc.record({ action, request_action: action, sensitivity: ratio }, { requiredKeys: [] });
  const partial = {
    sensitivity: ratio,
    default_action: action,
    categories: fc.record(Object.fromEntries(CATEGORIES.map((name) => [name, category])), { requiredKeys: [] }),
    roles: fc.record(Object.fromEntries(ROLES.map((name) => [name, action])), { requiredKeys: [] }),
    exclusions: fc.array(
      fc.record({
        category: fc.constantFrom(...CATEGORIES),
        until: fc.constant('2999-12-31'),
        reason: fc.constant('r'),
      }),
    ),
  };
  const policy = fc.record(
    { ...partial, shadow: fc.option(fc.record(partial, { requiredKeys: [] })) },
    { requiredKeys: [] },
  );
  const typed = fc.record(
    {
      policy,
      upstreams: fc.dictionary(
        fc.stringMatching(/^[a-d]{1,3}$/),
        fc.record({ url: fc.constant('http://h/x'), policy }),
        { maxKeys: 3 },
      ),
      server: fc.record({ port: fc.integer({ min: 0, max: 65_535 }) }),
      signatures: fc.record({ paths: fc.array(fc.constantFrom('a', '../b', '/c')) }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(typed, (value) => {
      const once = configOf(stringify(value));
      assert.deepEqual(configOf(stringify(once)), once);
    }),
    { numRuns: 150 },
  );
});

test('an exclusion that has run out is told of in shadow policies, too', () => {
  const out = '{ exclusions: [{ category: jailbreak, until: 2020-01-31, reason: r }] }';
  const places = (text: string): string[] => warningsOf(text).map((line) => line.replace(/^\S+ (\S+): .*/, '$1'));
  assert.deepEqual(places(`${upstream('{}')}policy: { shadow: ${out} }`), ['policy.shadow.exclusions[0].until']);
  assert.deepEqual(places(upstream(`{ shadow: ${out} }`)), ['upstreams.a.policy.shadow.exclusions[0].until']);
});

test('what is not wrong but worth knowing is a warning', () => {
  assert.deepEqual(warningsOf('upstreams: {}'), ['c.yaml:1:12 upstreams: none configured: only /check works']);
  const bounded = (more: string): string =>
    `upstreams: { a: { url: "http://h" } }\npolicy: { exclusions: [{ category: jailbreak, ${more}reason: r }] }`;
  assert.deepEqual(warningsOf(bounded('')), [
    'c.yaml:2:24 policy.exclusions[0]: holds everywhere and for ever: name an upstream, a path, a client, or until which day',
  ]);
  for (const bound of ['upstream: a, ', 'path: /v1/files, ', 'client: 10.0.0.1, ', 'until: 2999-12-31, '])
    assert.deepEqual(warningsOf(bounded(bound)), []);
  assert.deepEqual(warningsOf(bounded('path: /a/v1/files, ')), [
    "c.yaml:2:53 policy.exclusions[0].path: begins with the upstream a: a path is that of the provider's API, without it",
  ]);
  assert.deepEqual(
    warningsOf(`${upstream('{ exclusions: [{ category: jailbreak, until: 2020-01-31, reason: r }] }')}`),
    ['c.yaml:1:89 upstreams.a.policy.exclusions[0].until: has passed: this exclusion no longer counts; remove it'],
  );
  assert.match(
    warningsOf(`${upstream('{}')}scanner: { response: { enabled: true, mask: true, mode: passthrough } }`).join(),
    /scanner\.response\.mask: has no effect on streams in passthrough mode/,
  );
  const plane = (url: string) =>
    warningsOf(`${upstream('{}')}control_plane: { enabled: true, url: "${url}", api_key: k }`);
  assert.match(plane('http://plane.example').join(), /control_plane\.url: is not https/);
  for (const url of ['https://plane.example', 'http://127.0.0.1:9000', 'http://[::1]:9000', 'http://localhost'])
    assert.doesNotMatch(plane(url).join(), /control_plane\.url/, url);
  assert.match(plane('https://plane.example').join(), /control_plane\.public_keys: is empty/);
  assert.match(plane('https://plane.example').join(), /control_plane\.folder: is not set/);
  assert.deepEqual(warningsOf(`${upstream('{}')}admin: { enabled: true }`), []);
});
