import assert from 'node:assert/strict';
import test from 'node:test';
import { configOf, problemsOf, warningsOf } from './helpers/config.ts';

const TWO = 'upstreams: { llm-a: { url: "http://a" }, my.gpt_4: { url: "http://b" } }\n';

test('flags beat the environment, the environment beats the file, the file beats the defaults', () => {
  const file = 'server: { port: 1001, host: file }';
  const env = { GUARD_SERVER__PORT: '1002', GUARD_SERVER__HOST: 'environment' };
  assert.equal(configOf('').server.port, 8080);
  assert.equal(configOf(file).server.port, 1001);
  assert.equal(configOf(file, { env }).server.port, 1002);
  const { server } = configOf(file, { env, flags: { 'server.port': '1003' } });
  assert.deepEqual([server.port, server.host], [1003, 'environment']);
});

test('every level, list and name has a variable', () => {
  const config = configOf(TWO, {
    env: {
      GUARD_UPSTREAMS__LLM_A__URL: 'https://elsewhere/base',
      GUARD_UPSTREAMS__MY_GPT_4__MAX_SOCKETS: '7',
      GUARD_UPSTREAMS__LLM_A__POLICY__CATEGORIES__PROMPT_INJECTION__ACTION: 'log',
      GUARD_POLICY__CATEGORIES__SENSITIVE_DATA__REQUEST_ACTION: 'warn',
      GUARD_SERVER__TRUSTED_PROXIES: '10.0.0.0/8,192.168.0.0/16',
      GUARD_SCANNER__RESPONSE__ENABLED: 'true',
      GUARD_AUTH__KEYS: JSON.stringify([{ id: 'a', sha256: 'ab'.repeat(32), scopes: ['check'] }]),
    },
  });
  assert.equal(config.upstreams['llm-a']?.url, 'https://elsewhere/base');
  assert.equal(config.upstreams['my.gpt_4']?.max_sockets, 7);
  assert.equal(config.upstreams['llm-a']?.policy.categories['prompt-injection'].action, 'log');
  assert.equal(config.policy.categories['sensitive-data'].request_action, 'warn');
  assert.deepEqual(config.server.trusted_proxies, ['10.0.0.0/8', '192.168.0.0/16']);
  assert.equal(config.scanner.response.enabled, true);
  assert.equal(config.auth.keys[0]?.id, 'a');
});

test('the variables of the specification set their keys and win over the general form', () => {
  const { control_plane, logging } = configOf('', {
    env: {
      GUARD_CONTROL_PLANE_ENABLED: 'true',
      GUARD_CONTROL_PLANE_URL: 'https://plane',
      GUARD_CONTROL_PLANE_API_KEY: '12345',
      GUARD_LOG_LEVEL: 'debug',
      GUARD_LOGGING__LEVEL: 'error',
    },
  });
  assert.deepEqual([control_plane.enabled, control_plane.url, control_plane.api_key], [true, 'https://plane', '12345']);
  assert.equal(logging.level, 'debug');
});

test('an unknown variable is a problem with the one that was meant', () => {
  const env = {
    GUARD_LOG_LEVL: 'info',
    GUARD_SERVER__PRT: '1',
    GUARD_SERVER_PORT: '1',
    GUARD_PORT: '9090',
    GUARD_FAILURE_MODE: 'closed',
    GUARD_WHATEVER__THIS_MAY_BE_FOR: '1',
  };
  assert.deepEqual(problemsOf('', { env }), [
    'environment GUARD_FAILURE_MODE: unknown variable; did you mean GUARD_SECURITY__FAILURE_MODE?',
    'environment GUARD_LOG_LEVL: unknown variable; did you mean GUARD_LOG_LEVEL?',
    'environment GUARD_PORT: unknown variable; did you mean GUARD_SERVER__PORT?',
    'environment GUARD_SERVER_PORT: unknown variable; did you mean GUARD_SERVER__PORT?',
    'environment GUARD_SERVER__PRT: unknown variable; did you mean GUARD_SERVER__PORT?',
    'environment GUARD_WHATEVER__THIS_MAY_BE_FOR: unknown variable; there is no such key',
  ]);
});

test("a variable that resembles no setting is somebody else's: it is warned of, without its value, and nothing is refused", () => {
  const names = ['API_KEY', 'BASE_URL', 'CONFIG', 'HOST', 'IMAGE', 'METRICS_URL', 'TOKEN', 'URL', 'VERSION'];
  const env = Object.fromEntries(names.map((name) => [`GUARD_${name}`, 'hunter2']));
  assert.deepEqual(problemsOf(TWO, { env }), []);
  assert.deepEqual(
    warningsOf(TWO, { env }),
    names.map((name) => `environment GUARD_${name}: is no setting and has no effect; levels of a key are joined by __`),
  );
});

test('an upstream that the file does not name cannot be made up by a variable', () => {
  assert.match(
    problemsOf(TWO, { env: { GUARD_UPSTREAMS__OTHER__URL: 'http://c' } }).join(),
    /environment GUARD_UPSTREAMS__OTHER__URL: unknown variable/,
  );
});

test('variables that Kubernetes sets beside a Service called guard are left alone', () => {
  const env = {
    GUARD_SERVICE_HOST: '10.0.0.1',
    GUARD_SERVICE_PORT: '8080',
    GUARD_SERVICE_PORT_HTTP: '8080',
    GUARD_PORT: 'tcp://10.0.0.1:8080',
    GUARD_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
    GUARD_PORT_8080_TCP_PROTO: 'tcp',
    GUARD_PORT_8080_TCP_PORT: '8080',
    GUARD_PORT_8080_TCP_ADDR: '10.0.0.1',
    GUARD_CONTROL_PLANE_SERVICE_HOST: '10.0.0.2',
    GUARD_CONTROL_PLANE_PORT_9000_TCP_ADDR: '10.0.0.2',
  };
  assert.deepEqual(problemsOf('', { env }), []);
});

test('a variable that the file mentions, and the bundled ones, need no key of their own', () => {
  assert.deepEqual(
    problemsOf('server: { port: "${GUARD_MY_OWN}" }', {
      env: { GUARD_MY_OWN: '81', GUARD_UPSTREAM_A_URL: 'http://x' },
    }),
    [],
  );
});

test('a variable that is set to nothing counts as not set', () => {
  const env = { GUARD_CONTROL_PLANE_URL: '', GUARD_SERVER__PORT: '', GUARD_NO_SUCH_THING: '' };
  assert.equal(configOf('server: { port: 81 }', { env }).server.port, 81);
});

test('a wrong value from outside is reported under the name it came by', () => {
  assert.deepEqual(problemsOf('server: { port: 1 }', { env: { GUARD_SERVER__PORT: 'x' } }), [
    'environment GUARD_SERVER__PORT: expected a whole number from 0 to 65535, found text',
  ]);
  assert.deepEqual(problemsOf('', { flags: { 'server.port': '70000', 'server.prot': '1', 'logging.level': 'inf' } }), [
    'command line server.prot: unknown key; did you mean server.port?',
    'command line server.port: expected a whole number from 0 to 65535, found 70000',
    'command line logging.level: expected one of trace, debug, info, warn, error, fatal, silent, found text; did you mean info?',
  ]);
  assert.match(
    problemsOf('', { env: { GUARD_AUTH__KEYS: '[{]' } }).join(),
    /environment GUARD_AUTH__KEYS: expected a list, found text/,
  );
});

test('a variable takes words in any letter case, and the usual words for true and false', () => {
  for (const [text, level] of Object.entries({ INFO: 'info', Debug: 'debug', warning: 'warn', ' ERROR ': 'error' })) {
    assert.equal(configOf('', { env: { GUARD_LOG_LEVEL: text } }).logging.level, level);
    assert.equal(configOf('', { flags: { 'logging.level': text } }).logging.level, level);
    assert.equal(configOf('logging: { level: "${LEVEL}" }', { env: { LEVEL: text } }).logging.level, level);
  }
  for (const text of ['TRUE', '1', 'yes', 'On', 'y'])
    assert.equal(
      configOf('', { env: { GUARD_SCANNER__RESPONSE__ENABLED: text } }).scanner.response.enabled,
      true,
      text,
    );
  for (const text of ['False', '0', 'no', 'OFF', 'n'])
    assert.equal(configOf('', { env: { GUARD_METRICS__ENABLED: text } }).metrics.enabled, false, text);
  const { security, scanner } = configOf('', {
    env: {
      GUARD_SECURITY__FAILURE_MODE: 'CLOSED',
      GUARD_SCANNER__THREADS: 'Auto',
      GUARD_SCANNER__RESPONSE__CATEGORIES: 'Jailbreak,SENSITIVE-DATA',
    },
  });
  assert.equal(security.failure_mode, 'closed');
  assert.ok(scanner.threads >= 1);
  assert.deepEqual(scanner.response.categories, ['jailbreak', 'sensitive-data']);
  assert.deepEqual(problemsOf('', { env: { GUARD_ADMIN__ENABLED: 'maybe', GUARD_LOG_LEVEL: 'loud' } }), [
    'environment GUARD_LOG_LEVEL: expected one of trace, debug, info, warn, error, fatal, silent, found text',
    'environment GUARD_ADMIN__ENABLED: expected true or false, found text',
  ]);
  // What the file itself says has one spelling.
  assert.match(problemsOf('admin: { enabled: on }').join(), /found the text on; write true/);
});

test('a variable that two upstreams share is a problem: it would change only one of them', () => {
  const both = 'upstreams: { llm-a: { url: "http://a" }, llm_a: { url: "http://b" } }\n';
  assert.deepEqual(problemsOf(both), []);
  assert.deepEqual(problemsOf(both, { env: { GUARD_UPSTREAMS__LLM_A__URL: 'http://c' } }), [
    'environment GUARD_UPSTREAMS__LLM_A__URL: stands for upstreams.llm-a.url and for upstreams.llm_a.url; use --set or the file',
  ]);
  assert.equal(configOf(both, { flags: { 'upstreams.llm-a.url': 'http://c' } }).upstreams['llm-a']?.url, 'http://c');
});

test('a section that the file switches off with null is made by what is set in it', () => {
  const flags = { 'policy.shadow.sensitivity': '0.3' };
  assert.equal(configOf('policy: { shadow: null }', { flags }).policy.shadow?.sensitivity, 0.3);
  assert.equal(configOf('policy: { shadow: null }').policy.shadow, null);
});

test('a variable does not hide that the file is wrong around it', () => {
  assert.match(
    problemsOf('server: 8080', { env: { GUARD_SERVER__PORT: '81' } }).join(),
    /c\.yaml:1:9 server: expected a section of keys, found a number/,
  );
});

test('flags name upstreams as the file does, dots and all', () => {
  const config = configOf(TWO, { flags: { 'upstreams.my.gpt_4.wire': 'openai', 'upstreams.llm-a.timeout_s': '9' } });
  assert.equal(config.upstreams['my.gpt_4']?.wire, 'openai');
  assert.equal(config.upstreams['llm-a']?.timeout_s, 9);
});

test('a warning about a value from outside names the variable', () => {
  assert.deepEqual(warningsOf(TWO, { env: { GUARD_SCANNER__ENABLED: 'false' } }), [
    'environment GUARD_SCANNER__ENABLED: false: everything is forwarded unscanned',
  ]);
});
