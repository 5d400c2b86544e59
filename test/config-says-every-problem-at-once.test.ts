import assert from 'node:assert/strict';
import test from 'node:test';
import { problemsOf } from './helpers/config.ts';

test('every problem of every section is reported in one go, in the order of the file', () => {
  const problems = problemsOf(`server:
  prt: 80
  port: 99999
upstreams:
  llm-a: { url: ftp://host }
  llm-b: {}
policy:
  categories: { jailbreak: { action: blok } }
auth: { keys: [{ id: a, sha256: abc, scopes: [] }] }
admin: { enabled: on }
`);
  assert.deepEqual(problems, [
    'c.yaml:2:3 server.prt: unknown key; did you mean port?',
    'c.yaml:3:9 server.port: expected a whole number from 0 to 65535, found 99999',
    'c.yaml:5:17 upstreams.llm-a.url: expected an http or https URL without user, password, query or fragment',
    'c.yaml:6:3 upstreams.llm-b.url: is needed: an http or https URL without user, password, query or fragment',
    'c.yaml:8:38 policy.categories.jailbreak.action: expected one of allow, log, warn, block, found text; did you mean block?',
    'c.yaml:9:33 auth.keys[0].sha256: expected the SHA-256 of the key in 64 hexadecimal digits; `guard keys create` prints it',
    'c.yaml:9:46 auth.keys[0].scopes: expected at least 1 entry',
    'c.yaml:10:19 admin.enabled: expected true or false, found the text on; write true',
  ]);
});

test('a mistake in a file without upstreams brings no complaint about those that ship', () => {
  const exclusion = '{ signature: override-prior-instructions, upstream: llm-a, until: 2099-01-31, reason: x }';
  const env = { GUARD_UPSTREAMS__LLM_A__URL: 'https://example.com' };
  assert.deepEqual(problemsOf(`securty: {}\npolicy: { exclusions: [${exclusion}] }\n`, { env }), [
    'c.yaml:1:1 securty: unknown key; did you mean security?',
  ]);
});

test('an unknown key that resembles nothing is answered with the keys there are', () => {
  assert.deepEqual(problemsOf('metrics: { colour: red }'), [
    'c.yaml:1:12 metrics.colour: unknown key; known here: enabled, path',
  ]);
});

test('a duplicate key is a problem and names the line of the first', () => {
  assert.deepEqual(problemsOf('server:\n  port: 1\n  host: a\n  port: 2\n'), [
    'c.yaml:4:3 server.port: duplicate key; it is already given on line 2',
  ]);
});

test('a value of the wrong kind is told what was found', () => {
  for (const [text, found] of [
    ['server: [1]', 'server: expected a section of keys, found a list'],
    ['server: hello', 'server: expected a section of keys, found text'],
    ['server: { trusted_proxies: { a: 1 } }', 'server.trusted_proxies: expected a list, found a section of keys'],
    ['server: { port: 80.5 }', 'server.port: expected a whole number from 0 to 65535, found 80.5'],
    ['server: { port: "80" }', 'server.port: expected a whole number from 0 to 65535, found text'],
    ['server: { port: -1 }', 'server.port: expected a whole number from 0 to 65535, found -1'],
    ['server: { port: .inf }', 'server.port: expected a whole number from 0 to 65535, found Infinity'],
    ['policy: { sensitivity: 1.01 }', 'policy.sensitivity: expected a number from 0 to 1, found 1.01'],
    ['policy: { sensitivity: .nan }', 'policy.sensitivity: expected a number from 0 to 1, found NaN'],
    ['scanner: { threads: many }', 'scanner.threads: expected auto or a whole number from 1 to 64, found text'],
    ['scanner: { threads: 0 }', 'scanner.threads: expected auto or a whole number from 1 to 64, found a number'],
    ['scanner: { enabled: yes }', 'scanner.enabled: expected true or false, found the text yes; write true'],
    ['scanner: { enabled: a-secret }', 'scanner.enabled: expected true or false, found text'],
    ['server: { host: "" }', 'server.host: expected an address or host name to listen on, found an empty text'],
    ['signatures: { disabled: [~] }', 'signatures.disabled[0]: expected the id of a signature, found nothing'],
  ] as const) {
    const [problem = '', ...more] = problemsOf(text);
    assert.ok(problem.endsWith(` ${found}`), `${text} -> ${problem}`);
    assert.deepEqual(more, [], text);
  }
});

test('a number is never repeated where a text belongs, because the text may be a secret', () => {
  const problems = problemsOf('auth: { keys: [{ id: a, sha256: 123456789, scopes: [check] }] }').join();
  assert.match(problems, /sha256: expected a SHA-256 in 64 hexadecimal digits, found a number$/);
  assert.doesNotMatch(problems, /123456789/);
});

test('a wrong section does not keep the rules between other sections from being checked', () => {
  assert.deepEqual(problemsOf('logging: { level: loud }\ncontrol_plane: { enabled: true }\n'), [
    'c.yaml:1:19 logging.level: expected one of trace, debug, info, warn, error, fatal, silent, found text',
    'c.yaml:2:1 control_plane.url: is needed while control_plane.enabled is true',
    'c.yaml:2:1 control_plane.api_key: is needed while control_plane.enabled is true; api_key_file may name a file instead',
  ]);
});

test('a name of an upstream is one path segment that the proxy does not use itself', () => {
  for (const name of ['llm-a', 'a', 'A.b_c-9', '0']) assert.deepEqual(named(name), [], name);
  for (const name of ['check', 'healthz', 'readyz', 'metrics', 'none', 'constructor']) {
    assert.match(named(name).join(), /this name is taken by the proxy itself; choose another$/, name);
  }
  assert.deepEqual(named('__proto__'), ['c.yaml:1:14 upstreams.__proto__: nothing can have this name; choose another']);
  for (const name of ['', 'a/b', 'a b', 'ä', 'a%2e', '.', '..', 'x'.repeat(65)]) {
    assert.match(
      named(name).join(),
      /a name becomes the first segment of a path: 1 to 64 of A-Z a-z 0-9 \. _ -, but not \. or \.\.$/,
      name,
    );
  }
});

test('the address of an upstream may carry a base path and nothing else', () => {
  for (const url of ['http://h', 'https://h:8443/api/v1', 'http://127.0.0.1:11434', 'http://[::1]:80/', 'HTTPS://h']) {
    assert.deepEqual(addressed(url), [], url);
  }
  for (const url of [
    '',
    'h',
    'h:80',
    'ftp://h',
    'http:h',
    'http:///h',
    'http://u@h',
    'http://u:p@h',
    'http://h?',
    'http://h/?a=1',
  ]) {
    assert.equal(addressed(url).length, 1, url);
  }
  for (const url of [
    'http://h#',
    'http://h/#f',
    'http://h:99999',
    'http://h\\x',
    'http://h /',
    'http://h\n',
    'file:///etc/passwd',
  ]) {
    assert.equal(addressed(url).length, 1, url);
  }
});

test('networks, addresses, days, hashes and stores are checked by what they mean', () => {
  const hash = 'aB'.repeat(32);
  const good = [
    'server: { trusted_proxies: [10.0.0.0/8, 192.168.1.1, "fd00::/8", "::1/128", 0.0.0.0/0] }',
    'policy: { exclusions: [{ signature: s, client: "2001:DB8::1", until: 2028-02-29, path: /v1/chat, reason: r }] }',
    `auth: { keys: [{ id: a, sha256: ${hash}, scopes: [check, metrics, admin] }] }`,
    'rate_limit: { store: "redis://host" }',
    'rate_limit: { store: "rediss://user:pa55@host:6380/15" }',
    'metrics: { path: /internal/prom.txt }',
  ];
  for (const text of good) assert.deepEqual(problemsOf(text), [], text);
  const bad = [
    'server: { trusted_proxies: [10.0.0.0/33] }',
    'server: { trusted_proxies: ["fd00::/129"] }',
    'server: { trusted_proxies: [10.0.0/8] }',
    'server: { trusted_proxies: [10.0.0.0/8/8] }',
    'server: { trusted_proxies: [10.0.0.0/] }',
    'server: { trusted_proxies: ["fe80::1%eth0"] }',
    'server: { trusted_proxies: [localhost] }',
    'policy: { exclusions: [{ signature: s, client: 10.0.0.0/8, reason: r }] }',
    'policy: { exclusions: [{ signature: s, until: 2027-02-29, reason: r }] }',
    'policy: { exclusions: [{ signature: s, until: 2027-1-1, reason: r }] }',
    'policy: { exclusions: [{ signature: s, until: soon, reason: r }] }',
    'policy: { exclusions: [{ signature: s, path: v1/chat, reason: r }] }',
    'policy: { exclusions: [{ signature: s, reason: "" }] }',
    'policy: { exclusions: [{ signature: s }] }',
    'policy: { exclusions: [{ reason: r }] }',
    'policy: { exclusions: [{ signature: s, category: jailbreak, reason: r }] }',
    `auth: { keys: [{ id: a, sha256: ${hash}0, scopes: [check] }] }`,
    `auth: { keys: [{ id: "a b", sha256: ${hash}, scopes: [check] }] }`,
    `auth: { keys: [{ id: a, sha256: ${hash}, scopes: [root] }] }`,
    'rate_limit: { store: redis }',
    'rate_limit: { store: "http://host" }',
    'rate_limit: { store: "redis://host/x" }',
    'metrics: { path: metrics }',
    'metrics: { path: / }',
    'metrics: { path: /a/../b }',
    'scanner: { response: { canaries: [short] } }',
    'scanner: { response: { buffer_chars: 0 } }',
    'control_plane: { api_key: "two words" }',
  ];
  for (const text of bad) assert.equal(problemsOf(text).length, 1, `${text} -> ${problemsOf(text).join(' | ')}`);
});

test('a file with thousands of problems is answered with the first hundred and the number of the rest', () => {
  const problems = problemsOf(Array.from({ length: 3000 }, (_, index) => `key${index}: 1`).join('\n'));
  assert.equal(problems.length, 101);
  assert.match(problems[0]!, /^c\.yaml:1:1 key0: unknown key/);
  assert.equal(problems[100], 'c.yaml: and 2900 problems more');
});

test('a key of control characters reaches no terminal', () => {
  const problems = problemsOf('"\\e[31m\\u202e": 1').join();
  assert.match(problems, /^c\.yaml:1:1 \?\[31m\?: unknown key/);
});

function named(name: string): string[] {
  return problemsOf(`upstreams: { ${JSON.stringify(name)}: { url: "http://h" } }`);
}

function addressed(url: string): string[] {
  return problemsOf(`upstreams: { a: { url: ${JSON.stringify(url)} } }`);
}
