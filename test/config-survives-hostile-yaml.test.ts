import assert from 'node:assert/strict';
import test from 'node:test';
import { configOf, problemsOf } from './helpers/config.ts';

test('an alias bomb is refused by counting values at every use', () => {
  const levels = ['a: &a [x,x,x,x,x,x,x,x,x]'];
  for (const [name = '', below = ''] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg', 'ih']) {
    levels.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${below}`).join(',')}]`);
  }
  const started = performance.now();
  assert.deepEqual(problemsOf(levels.join('\n')), ['c.yaml:1:1: more than 50000 values, aliases counted at every use']);
  assert.ok(performance.now() - started < 2000);
});

test('an alias that contains itself is refused as too deep', () => {
  assert.match(problemsOf('server: &s { trusted_proxies: [*s] }').join('\n'), /nested deeper than 16/);
});

test('anchors and aliases work, also when the anchor stands in a section that is refused', () => {
  const config = configOf('upstreams:\n  a: &a { url: "http://h", max_sockets: 3 }\n  b: *a\n');
  assert.equal(config.upstreams['b']?.max_sockets, 3);
  assert.deepEqual(problemsOf('shared: &p [10.0.0.0/8]\nserver: { trusted_proxies: *p }').length, 1);
  assert.deepEqual(problemsOf('server: { trusted_proxies: *nobody }'), [
    'c.yaml:1:28 server.trusted_proxies: an alias without an anchor before it',
  ]);
});

test('merge keys are not understood and therefore said to be unknown', () => {
  assert.match(
    problemsOf('upstreams:\n  a: &a { url: "http://h" }\n  b: { <<: *a }\n').join('\n'),
    /upstreams\.b\.<<: unknown key/,
  );
});

test('names that every object has are keys like any other and change no prototype', () => {
  const problems = problemsOf(
    '__proto__: { polluted: 1 }\nconstructor: { prototype: { polluted: 1 } }\nserver: { __proto__: { port: 1 }, toString: 1 }',
  );
  assert.deepEqual(
    problems.map((problem) => problem.replace(/:[^:]*$/, '')),
    [
      'c.yaml:1:1 __proto__: unknown key; known here',
      'c.yaml:2:1 constructor: unknown key; known here',
      'c.yaml:3:11 server.__proto__: unknown key; known here',
      'c.yaml:3:35 server.toString: unknown key; known here',
    ],
  );
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  const { upstreams } = configOf('upstreams: { a: { url: "http://h" } }');
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    assert.equal(upstreams[name], undefined, name);
});

test('a variable or list from outside cannot reach a prototype either', () => {
  const env = { GUARD_AUTH__KEYS: '[{"__proto__":{"scopes":["admin"]},"id":"a","sha256":"x"}]' };
  assert.notDeepEqual(problemsOf('', { env }), []);
  assert.match(problemsOf('', { flags: { '__proto__.port': '1' } }).join(), /unknown key/);
  assert.match(problemsOf('', { flags: { 'server.__proto__': '1' } }).join(), /unknown key/);
});

test('tags that ask for types or code are refused', () => {
  for (const tag of ['!!js/function', '!!python/object', '!!binary', '!!set', '!secret', '!!timestamp']) {
    assert.match(problemsOf(`server: ${tag} x`).join('\n'), /^c\.yaml:1:9: Unresolved tag/, tag);
  }
});

test('an older YAML version in the file does not change what words mean', () => {
  assert.match(
    problemsOf('%YAML 1.1\n---\nscanner: { enabled: on }').join(),
    /scanner\.enabled: expected true or false, found the text on; write true/,
  );
  assert.match(
    problemsOf('%YAML 1.1\n---\nserver: { port: 1_000 }').join(),
    /server\.port: expected a whole number .*, found text/,
  );
});

test('tabs, a second document, a list at the top and a broken bracket are named with their line', () => {
  assert.deepEqual(problemsOf('server:\n\tport: 1\n'), ['c.yaml:2:1: Tabs are not allowed as indentation']);
  assert.deepEqual(problemsOf('server:\n  port: 1\n---\nserver:\n  port: 2\n'), [
    'c.yaml:3:1: a second document starts here; one file holds one',
  ]);
  assert.deepEqual(problemsOf('- server'), ['c.yaml:1:1: expected a section of keys at the top of the file']);
  assert.match(problemsOf('server:\n  trusted_proxies: [1\nmetrics:\n').join('\n'), /^c\.yaml:3:1: /);
  assert.match(problemsOf('{[a]: 1}').join(), /c\.yaml:1:2: a key must be plain text/);
});

test('a byte order mark and CRLF lines are no problem, and positions stay right', () => {
  assert.equal(configOf('\ufeffserver:\r\n  port: 81\r\n').server.port, 81);
  assert.deepEqual(problemsOf('server:\r\n  prt: 81\r\n'), ['c.yaml:2:3 server.prt: unknown key; did you mean port?']);
});

test('an empty file, a comment, a null and empty sections mean the defaults', () => {
  const defaults = configOf('{}');
  for (const text of [
    '',
    '# nothing\n',
    '~',
    'null',
    'server:\nupstreams:\nauth:\n  keys:\n',
    'policy: ~\nserver: { port: }',
  ]) {
    assert.deepEqual(configOf(text), defaults, JSON.stringify(text));
  }
});

/** Milliseconds of processor time, which a busy machine does not lengthen by much. */
function processorTime(work: () => void): number {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

test('what nests without end is refused before it is parsed, since at the end of its stack a parser can end the process', () => {
  const endless = {
    brackets: '['.repeat(5e5),
    braces: '{a: '.repeat(125_000),
    dashes: '- '.repeat(25e4),
    'dashes with anchors': '- &a '.repeat(1e5),
    'brackets with anchors': '&a['.repeat(1e5),
    'braces with tags': '!{a: '.repeat(1e5),
    'brackets behind one tag': `!${'['.repeat(5e5)}`,
    questions: '? '.repeat(25e4),
    indentation: Array.from({ length: 1400 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
  };
  for (const [name, text] of Object.entries(endless)) {
    let problems: readonly string[] = [];
    const took = processorTime(() => (problems = problemsOf(text)));
    assert.deepEqual(problems, ['c.yaml:1:1: nested too deeply'], name);
    assert.ok(took < 1000, `${name}: ${took.toFixed(0)} ms`);
  }
  const wide = `signatures: { disabled: [${Array.from({ length: 3000 }, (_, i) => `"[{${i}"`).join(', ')}] }`;
  assert.deepEqual(problemsOf(wide), ['c.yaml:1:1: nested too deeply'], 'brackets that are quoted count, too');
  const list = `signatures:\n  disabled:\n${'    - "a - - - b"\n'.repeat(3000)}`;
  assert.deepEqual(problemsOf(list), [], 'a long list nests nowhere');
});

test('half a megabyte of anything ends in problems, and in bounded time', () => {
  const hostile = {
    brackets: '['.repeat(5e5),
    braces: '{a: '.repeat(125_000),
    dashes: '- '.repeat(25e4),
    questions: '? '.repeat(25e4),
    'different keys': Array.from({ length: 60_000 }, (_, index) => `k${index}:`).join('\n'),
    'one key again and again': 'a:\n'.repeat(15e4),
    anchors: Array.from({ length: 52_000 }, (_, index) => `- &a${index} x`).join('\n'),
    aliases: `a: &a x\nb: [${'*a,'.repeat(15e4)}]`,
    tags: '- !a x\n'.repeat(140_000),
    references: `server: { host: "${'${'.repeat(2e5)}" }`,
  };
  for (const [name, text] of Object.entries(hostile)) {
    const started = performance.now();
    const problems = problemsOf(text);
    const took = performance.now() - started;
    assert.ok(problems.length > 0, name);
    assert.ok(
      problems.every((problem) => problem.length < 2000),
      name,
    );
    // Measured: 0.05 to 2.6 s on two busy cores. Comparing every key with every other takes far longer than this bound.
    assert.ok(took < 15_000, `${name}: ${took.toFixed(0)} ms`);
  }
  assert.deepEqual(problemsOf(' '.repeat(1_048_577)), ['c.yaml:1:1: larger than 1048576 bytes']);
});
