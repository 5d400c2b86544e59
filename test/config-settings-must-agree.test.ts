import assert from 'node:assert/strict';
import test from 'node:test';
import { problemsOf } from './helpers/config.ts';

const hash = (digit: string) => digit.repeat(64);

/** [what is wrong, the text, the same mended] */
const CASES = [
  [
    'c.yaml:1:32 server.headers_timeout_ms: must not exceed server.request_timeout_ms (1000)',
    'server: { headers_timeout_ms:  2000, request_timeout_ms: 1000 }',
    'server: { headers_timeout_ms:  1000, request_timeout_ms: 1000 }',
  ],
  [
    'c.yaml:1:55 policy.exclusions[0].upstream: no such upstream; there are: none',
    'policy: { exclusions: [{ category: jailbreak, upstream: llm-a, reason: r }] }\nupstreams: {}',
    'policy: { exclusions: [{ category: jailbreak, upstream: llm-a, reason: r }] }\nupstreams: { llm-a: { url: "http://h" } }',
  ],
  [
    'c.yaml:1:97 upstreams.a.policy.exclusions[0].upstream: no such upstream; there are: a',
    'upstreams: { a: { url: "http://h", policy: { exclusions: [{ category: jailbreak, reason: r, upstream: b }] } } }',
    'upstreams: { a: { url: "http://h", policy: { exclusions: [{ category: jailbreak, reason: r, upstream: a }] } } }',
  ],
  [
    'auth.keys[1].id: another key has this id',
    `auth: { keys: [{ id: a, sha256: ${hash('1')}, scopes: [check] }, { id: a, sha256: ${hash('2')}, scopes: [check] }] }`,
    `auth: { keys: [{ id: a, sha256: ${hash('1')}, scopes: [check] }, { id: b, sha256: ${hash('2')}, scopes: [check] }] }`,
  ],
  [
    'auth.keys[1].sha256: this key is already listed; give one entry all its scopes',
    `auth: { keys: [{ id: a, sha256: ${hash('a')}, scopes: [check] }, { id: b, sha256: ${hash('A')}, scopes: [admin] }] }`,
    `auth: { keys: [{ id: a, sha256: ${hash('a')}, scopes: [check] }, { id: b, sha256: ${hash('b')}, scopes: [admin] }] }`,
  ],
  ['metrics.path: this path is taken by the proxy itself', 'metrics: { path: /healthz }', 'metrics: { path: /health }'],
  [
    'metrics.path: lies below the upstream llm-a; choose another',
    'metrics: { path: /llm-a/metrics }\nupstreams: { llm-a: { url: "http://h" } }',
    'metrics: { path: /llm-b/metrics }\nupstreams: { llm-a: { url: "http://h" } }',
  ],
  [
    'admin.port: is the port of the proxy (server.port 8080); choose another',
    'admin: { enabled: true, port: 8080 }',
    'admin: { enabled: false, port: 8080 }',
  ],
  [
    'admin.host: reaches beyond this machine, and no key in auth.keys has the scope admin; add one, or listen on 127.0.0.1',
    'admin: { enabled: true, host: 0.0.0.0 }',
    `admin: { enabled: true, host: 0.0.0.0 }\nauth: { keys: [{ id: a, sha256: ${hash('1')}, scopes: [admin] }] }`,
  ],
  [
    'control_plane.url: is needed while control_plane.enabled is true',
    'control_plane: { enabled: true, api_key: k }',
    'control_plane: { enabled: true, api_key: k, url: "https://plane" }',
  ],
  [
    'control_plane.api_key: is needed while control_plane.enabled is true; api_key_file may name a file instead',
    'control_plane: { enabled: true, url: "https://plane" }',
    'control_plane: { enabled: false, url: "https://plane" }',
  ],
] as const;

for (const [problem, wrong, mended] of CASES) {
  test(`refused, and accepted once mended: ${problem.replace(/^c\.yaml:\S+ /, '')}`, () => {
    const [first = '', ...more] = problemsOf(wrong);
    assert.ok(first.endsWith(problem.replace(/^c\.yaml:\S+ /, '')), first);
    assert.deepEqual(more, []);
    assert.deepEqual(problemsOf(mended), []);
  });
}
