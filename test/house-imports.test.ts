/** The layout of the house, read from its import lines: they run downhill, and each package has one door. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, normalize } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { startPair } from './helpers/pair.ts';
import { ask, post } from './helpers/raw-client.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Each folder (or file at the top of src) and what it may import beside itself. What is not named here may not exist. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // The words and the decisions: pure.
  domain: [],
  'version.ts': [],
  // Shared by what reads a configuration and what reads signatures, neither of which knows the other.
  'read-text.ts': [],
  // The worker side: nothing on the main thread imports these.
  'kernels.ts': [],
  text: ['kernels.ts'],
  wire: ['domain', 'text'],
  likeness: ['domain', 'text', 'kernels.ts'],
  detect: ['domain', 'text', 'wire', 'likeness', 'kernels.ts'],
  workers: ['domain', 'text', 'wire', 'likeness', 'detect', 'scanner'],
  // The main thread, from the bottom up.
  config: ['domain', 'read-text.ts'],
  signatures: ['domain', 'read-text.ts'],
  http: ['domain'],
  observe: ['domain'],
  scanner: ['domain'],
  proxy: ['domain', 'http', 'observe', 'scanner'],
  routes: ['domain', 'http', 'observe', 'scanner', 'proxy'],
  'server.ts': ['domain', 'http', 'observe', 'routes'],
  console: [],
  'control-plane': ['domain', 'config', 'http', 'observe', 'signatures', 'scanner', 'console', 'version.ts'],
  'short-lived.ts': [],
  'begin.ts': ['domain', 'config', 'signatures', 'scanner', 'short-lived.ts'],
  'runtime.ts': ['config', 'http', 'observe', 'scanner', 'proxy', 'routes', 'version.ts'],
  'in-force.ts': ['domain', 'begin.ts', 'config', 'http', 'scanner', 'routes', 'control-plane', 'runtime.ts'],
  'service.ts': [
    'domain',
    'begin.ts',
    'config',
    'observe',
    'scanner',
    'proxy',
    'in-force.ts',
    'server.ts',
    'control-plane',
    'version.ts',
  ],
  // What figures are made of judged texts: pure, like the domain.
  eval: ['domain'],
  demo: [],
  commands: [
    'domain',
    'eval',
    'config',
    'signatures',
    'scanner',
    'demo',
    'control-plane',
    'begin.ts',
    'service.ts',
    'version.ts',
    'read-text.ts',
  ],
  'main.ts': ['commands'],
};

/** What a scanning thread shares with the side that starts it: the layout of their common memory, and the faults. */
const SHARED_WITH_WORKERS = new Set(['src/scanner/control.ts', 'src/scanner/faults.ts']);

/** Each package and the files, or the folder, through which alone it comes in. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  'http-proxy': ['src/proxy/forward.ts'],
  piscina: ['src/scanner/threads.ts'],
  // Single patterns, and many at once.
  re2: ['src/detect/drafts.ts', 'src/detect/rule.ts', 'src/detect/engine/'],
  'prom-client': ['src/observe/metric-families.ts'],
  pino: ['src/observe/log.ts'],
  // The command prints a configuration as what it was read from, and loads the writer only then.
  yaml: ['src/config/', 'src/signatures/load.ts', 'src/commands/config.ts'],
  zod: ['src/config/'],
  minimist: ['src/commands/argv.ts'],
  ioredis: ['src/http/shared-count.ts'],
  'rate-limiter-flexible': ['src/http/rate-limit.ts', 'src/http/shared-count.ts'],
  'ipaddr.js': ['src/domain/address.ts', 'src/http/client-address.ts'],
  pg: ['src/control-plane/server/open-database.ts'],
  '@electric-sql/pglite': ['src/control-plane/server/open-database.ts'],
};

/** A type is gone at run time, and the root of the composition may name what it hands through. */
const TYPES_ELSEWHERE = new Set(['pino']);

const BANNED_NAMES = /^(?:utils?|helpers?|common|types?|managers?|misc|shared|lib)$/i;

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

function sources(): readonly string[] {
  return ['src', 'workers'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
}

const STATEMENT = /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\s+from\s+)?'([^']+)'/gm;
const CALL =
  /\b(?:import|require|requireFrom\w*)\(\s*['"]([^'"]+)['"]\s*\)|createRequire\([^)]*\)\(\s*['"]([^'"]+)['"]/g;

function imports(): readonly Import[] {
  return sources().flatMap((from) => {
    const text = readFileSync(join(ROOT, from), 'utf8');
    const statements = [...text.matchAll(STATEMENT)].map(([, type, to]) => ({
      from,
      to: to!,
      typeOnly: type !== undefined,
    }));
    const calls = [...text.matchAll(CALL)].map(([, plain, required]) => ({
      from,
      to: (plain ?? required)!,
      typeOnly: false,
    }));
    return statements.concat(calls);
  });
}

/** `src/proxy/stream/x.ts` lives in `proxy`, `src/server.ts` in `server.ts`, `workers/scan.ts` in `workers`. */
function placeOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'src' ? second : top;
}

const internal = imports()
  .filter(({ to }) => to.startsWith('.'))
  .map(({ from, to }) => ({ from, to: normalize(join(dirname(from), to)) }));

test('the import lines are found: the tables below would pass on nothing', () => {
  assert.ok(sources().length > 80, String(sources().length));
  assert.ok(internal.length > 200, String(internal.length));
  assert.ok(internal.some(({ from, to }) => from === 'src/service.ts' && to === 'src/server.ts'));
  assert.ok(
    imports().some(({ to }) => to === 'http-proxy/lib/http-proxy/common'),
    'calls are found, too',
  );
});

test('every folder has its place in the table', () => {
  const places = new Set(sources().map(placeOf));
  assert.deepEqual(
    [...places].filter((place) => !Object.hasOwn(MAY_IMPORT, place)),
    [],
  );
});

test('imports run downhill', () => {
  const uphill = internal.filter(({ from, to }) => {
    const [here, there] = [placeOf(from), placeOf(to)];
    return here !== there && !(MAY_IMPORT[here] ?? []).includes(there);
  });
  assert.deepEqual(
    uphill.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

/**
 * The rooms within `src/detect`, from the bottom up. The files beside them are what all of them are about (a rule, a
 * ruleset, the texts of a body, what was found) and are held by the test on circles.
 */
const WITHIN_DETECT: Readonly<Record<string, readonly string[]>> = {
  validators: [],
  patterns: [],
  engine: ['patterns'],
  glance: ['patterns', 'engine'],
  confirm: ['patterns', 'engine', 'glance', 'validators'],
  spared: [],
  known: [],
  masks: ['confirm', 'validators'],
  stream: ['masks'],
  prove: ['patterns'],
};

test('imports between the rooms of detect run downhill, too', () => {
  const within = internal
    .map(({ from, to }) => [from, to].map((file) => /^src\/detect\/([\w-]+)\//.exec(file)?.[1]))
    .filter(([here, there]) => here !== undefined && there !== undefined && here !== there);
  assert.ok(within.length > 20, String(within.length));
  assert.deepEqual(
    within.filter(([here, there]) => !WITHIN_DETECT[here!]?.includes(there!)),
    [],
  );
});

test('every permission in the tables is used: one that is not would hide the first wrong import', () => {
  const used = new Set(internal.map(({ from, to }) => `${placeOf(from)} imports ${placeOf(to)}`));
  const given = Object.entries(MAY_IMPORT).flatMap(([here, below]) => below.map((to) => `${here} imports ${to}`));
  assert.deepEqual(
    given.filter((permission) => !used.has(permission)),
    [],
  );
  const packages = new Set(
    imports().map(({ to }) =>
      to
        .split('/')
        .slice(0, to.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
  );
  assert.deepEqual(
    Object.keys(DOORS).filter((name) => !packages.has(name)),
    [],
  );
});

test('the tables themselves have no way back up', () => {
  for (const table of [MAY_IMPORT, WITHIN_DETECT]) hasNoWayUp(table);
});

function hasNoWayUp(table: Readonly<Record<string, readonly string[]>>): void {
  const order: string[] = [];
  const left = new Map(Object.entries(table));
  while (left.size > 0) {
    const free = [...left].filter(([, below]) => below.every((name) => order.includes(name))).map(([name]) => name);
    assert.notEqual(free.length, 0, `a circle among ${[...left.keys()].join(', ')}`);
    for (const name of free) {
      order.push(name);
      left.delete(name);
    }
  }
}

test('no files import each other in a circle, not even for their types', () => {
  const left = new Map<string, Set<string>>();
  for (const { from, to } of internal) {
    left.set(from, (left.get(from) ?? new Set()).add(to));
  }
  // Files whose imports are all sorted out are taken away until none is left, or only circles and what leads to them.
  for (let taken = true; taken;) {
    taken = false;
    for (const [file, below] of left) {
      if ([...below].some((to) => left.has(to))) continue;
      left.delete(file);
      taken = true;
    }
  }
  assert.deepEqual([...left.keys()], []);
});

test('the main thread imports nothing that reads text, and a scanning thread nothing that serves', () => {
  const workerSide = new Set(['text', 'wire', 'likeness', 'detect', 'workers']);
  const crossing = internal.filter(({ from, to }) => !workerSide.has(placeOf(from)) && workerSide.has(placeOf(to)));
  assert.deepEqual(
    crossing.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
  const shared = internal
    .filter(({ from, to }) => workerSide.has(placeOf(from)) && placeOf(to) === 'scanner')
    .map(({ to }) => to);
  assert.deepEqual(
    [...new Set(shared)].filter((to) => !SHARED_WITH_WORKERS.has(to)),
    [],
  );
});

test('each package comes in through its own door', () => {
  const packages = imports()
    .filter(({ to }) => !to.startsWith('.') && !to.startsWith('node:'))
    .map(({ from, to, typeOnly }) => ({ from, typeOnly, name: to.split('/', to.startsWith('@') ? 2 : 1).join('/') }));
  const elsewhere = packages.filter(({ from, name, typeOnly }) => {
    if (typeOnly && TYPES_ELSEWHERE.has(name)) return false;
    return !(DOORS[name] ?? []).some((door) => (door.endsWith('/') ? from.startsWith(door) : from === door));
  });
  assert.deepEqual(
    elsewhere.map(({ from, name }) => `${from} imports ${name}`),
    [],
  );
});

test('every package that is installed for running is used, and every one that is used is installed', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  // Loaded only where a store is shared: whoever configures one installs it.
  const optional = new Set(['ioredis', 'pg', '@electric-sql/pglite']);
  assert.deepEqual(
    Object.keys(dependencies).filter((name) => !Object.hasOwn(DOORS, name)),
    [],
  );
  for (const [name, version] of Object.entries(dependencies))
    assert.match(version, /^\d+\.\d+\.\d+$/, `${name} is pinned`);
  const used = new Set(imports().map(({ to }) => to.split('/')[0]!));
  assert.deepEqual(
    Object.keys(DOORS).filter((name) => used.has(name) && !Object.hasOwn(dependencies, name) && !optional.has(name)),
    [],
  );
});

test('no file or folder is named after nothing in particular', () => {
  const names = sources().flatMap((file) =>
    file
      .split('/')
      .slice(1)
      .map((part) => basename(part, '.ts')),
  );
  assert.deepEqual(
    names.filter((name) => BANNED_NAMES.test(name)),
    [],
  );
});

test('a running service has scanned a body, and its main thread has not loaded the engine', async (t) => {
  const { guard } = await startPair(t, { body: 'ok' }, { config: { scanner: { threads: 1 } } });
  const answer = await ask(
    guard.port,
    post('/llm-a/x', '{"messages":[{"role":"user","content":"hello"}]}', 'Content-Type: application/json'),
  );
  assert.deepEqual(answer.values('x-guard-scanned'), ['true']);
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  assert.ok(
    loaded.some((file) => file.includes('/node_modules/http-proxy/')),
    'what is loaded is visible here',
  );
  assert.deepEqual(
    loaded.filter((file) => file.includes('/node_modules/re2/')),
    [],
  );
});
