import assert from 'node:assert/strict';
import test from 'node:test';
import { configOf, problemsOf } from './helpers/config.ts';

test('a value that is one whole reference gets the type of its place', () => {
  const { server, scanner, policy } = configOf(
    'server:\n  port: ${PORT}\n  host: "${PORT}"\n  trusted_proxies: ${NETS}\nscanner: { enabled: "${ON}", threads: "${THREADS}" }\npolicy: { sensitivity: "${HALF}" }',
    { env: { PORT: '9090', NETS: '10.0.0.0/8, ::1', ON: 'false', THREADS: '3', HALF: '.25' } },
  );
  assert.equal(server.port, 9090);
  assert.equal(server.host, '9090');
  assert.deepEqual(server.trusted_proxies, ['10.0.0.0/8', '::1']);
  assert.equal(scanner.enabled, false);
  assert.equal(scanner.threads, 3);
  assert.equal(policy.sensitivity, 0.25);
});

test('a default stands in for a variable that is unset or empty', () => {
  const text = 'server: { port: "${PORT:-8081}" }';
  assert.equal(configOf(text).server.port, 8081);
  assert.equal(configOf(text, { env: { PORT: '' } }).server.port, 8081);
  assert.equal(configOf(text, { env: { PORT: '8082' } }).server.port, 8082);
});

test('several references and plain text make one value', () => {
  const { upstreams } = configOf('upstreams: { a: { url: "${SCHEME:-http}://${HOST}:${PORT:-80}/api" } }', {
    env: { HOST: 'h', SCHEME: 'https' },
  });
  assert.equal(upstreams['a']?.url, 'https://h:80/api');
});

test('a missing variable without a default is a problem with its line and its cure', () => {
  assert.deepEqual(problemsOf('server:\n  port: ${PORT}\n  host: ${HOST}\n'), [
    'c.yaml:2:9 server.port: the variable PORT is not set; set it, or write ${PORT:-default}',
    'c.yaml:3:9 server.host: the variable HOST is not set; set it, or write ${HOST:-default}',
  ]);
});

test('a wrong value names the variables that it is from, and repeats nothing of them', () => {
  const text = 'upstreams: { a: { url: "${SCHEME:-https}://${HOST:-h}/${BASE}" } }\nserver: { port: "${PORT:-80}" }';
  const said = problemsOf(text, { env: { SCHEME: 'hunter2', BASE: 'b', PORT: 'hunter3' } });
  assert.deepEqual(said, [
    'c.yaml:1:24 upstreams.a.url: expected an http or https URL without user, password, query or fragment; the value is from SCHEME, BASE',
    'c.yaml:2:17 server.port: expected a whole number from 0 to 65535, found text; the value is from PORT',
  ]);
  // What stands in the file, or is said elsewhere, is not from a variable.
  assert.deepEqual(problemsOf('server: { port: "${PORT:-x}" }'), [
    'c.yaml:1:17 server.port: expected a whole number from 0 to 65535, found text',
  ]);
  assert.deepEqual(problemsOf('server: { port: "${PORT}" }', { env: { PORT: 'x', GUARD_SERVER__PORT: 'y' } }), [
    'environment GUARD_SERVER__PORT: expected a whole number from 0 to 65535, found text',
  ]);
});

test('a reference that is not well formed is a problem', () => {
  for (const reference of ['${', '${}', '${A', '${A B}', '${1A}', '${A-b}', '${A:-${B}}', '${A:=b}']) {
    assert.match(
      problemsOf(`server: { host: '${reference}' }`, { env: { A: 'x', B: 'y' } }).join(),
      /expected \$\{NAME\} or \$\{NAME:-default\}; write \$\$\{ for a literal \$\{$/,
      reference,
    );
  }
});

test('a reference between braces without quotes is recognised, because YAML itself only says that it is odd', () => {
  assert.equal(
    problemsOf('server: { port: ${PORT} }', { env: { PORT: '1' } })[0],
    'c.yaml:1:18: a ${...} between braces or brackets needs quotes: "${NAME}"',
  );
});

test('two dollar signs stand for a literal one, and a lone dollar is text', () => {
  const { scanner } = configOf('scanner: { response: { canaries: ["$${NOT_A_VARIABLE}", "costs $100 each"] } }');
  assert.deepEqual(scanner.response.canaries, ['${NOT_A_VARIABLE}', 'costs $100 each']);
});

test('what a variable holds is data and is not expanded again', () => {
  assert.equal(configOf('server: { host: "${A}" }', { env: { A: '${B}', B: 'secret' } }).server.host, '${B}');
});

test('a key may be all digits and stays a text, quoted or not, from a file or a variable', () => {
  const hash = '1'.repeat(64);
  const { auth, control_plane } = configOf(
    `auth: { keys: [{ id: 007, sha256: ${hash}, scopes: [check] }] }\ncontrol_plane: { api_key: "\${KEY}" }`,
    {
      env: { KEY: '00123' },
    },
  );
  assert.deepEqual(auth.keys, [{ id: '007', sha256: hash, scopes: ['check'] }]);
  assert.equal(control_plane.api_key, '00123');
});

test('an empty default leaves a setting that cannot be empty at its own default', () => {
  const { control_plane, server } = configOf(
    'control_plane: { url: "${U:-}", api_key: "${K:-}" }\nserver: { port: "${P:-}" }',
  );
  assert.equal(control_plane.url, null);
  assert.equal(control_plane.api_key, null);
  assert.equal(server.port, 8080);
});

test('a value of the wrong kind from a variable is reported without its text', () => {
  const problems = problemsOf('server: { port: "${PORT}" }', { env: { PORT: 'hunter2' } }).join();
  assert.match(problems, /server\.port: expected a whole number from 0 to 65535, found text; the value is from PORT$/);
  assert.doesNotMatch(problems, /hunter2/);
});
