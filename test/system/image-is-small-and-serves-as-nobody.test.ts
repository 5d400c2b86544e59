import assert from 'node:assert/strict';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startDemoUpstream, type DemoUpstream } from '../../src/demo/upstream.ts';
import { copyOf, execForm, only, parseDockerfile, type Stage } from './dockerfile.ts';
import { callThrough, runAsNobody, startAsNobody, tryToWrite } from './nobody.ts';
import { answers, folder, freePort, need, REPOSITORY, run, until } from './processes.ts';

/** The steps of the Dockerfile, carried out one by one in two folders instead of two stages. */

const MEGABYTE = 1_048_576;
const files = folder();
const stages = parseDockerfile(readFileSync(join(REPOSITORY, 'Dockerfile'), 'utf8'));
const image = join(files.path, 'image');
let upstream: DemoUpstream;

before(async () => {
  need('strip');
  chmodSync(files.path, 0o755);
  const roots = new Map([['build', join(files.path, 'build')]]);
  carryOut(stages[0]!, roots.get('build')!, roots);
  carryOut(stages[1]!, image, roots);
  upstream = await startDemoUpstream({ anyKey: true });
});

after(async () => {
  await upstream?.close();
  files.remove();
});

test('the image holds what runs and nothing of what built it', (t) => {
  const modules = readdirSync(join(image, 'app/node_modules'));
  for (const name of ['node-gyp', 'nan', 'typescript', 'openai', 'fast-check', '.bin'])
    assert.ok(!modules.includes(name), name);
  for (const name of ['re2', 'piscina', 'http-proxy', 'pino', 'prom-client', 'yaml', 'minimist', 'ioredis'])
    assert.ok(modules.includes(name), name);
  assert.deepEqual(readdirSync(join(image, 'app/dist')).sort(), ['src', 'workers']);
  const [re2, all] = [sizeOf(join(image, 'app/node_modules/re2')), sizeOf(join(image, 'app'))];
  t.diagnostic(`re2 ${(re2 / MEGABYTE).toFixed(1)} MB, everything beside Node ${(all / MEGABYTE).toFixed(1)} MB`);
  assert.ok(re2 < 3 * MEGABYTE, `re2 is ${re2} bytes`);
  assert.ok(all < 40 * MEGABYTE, `the application is ${all} bytes`);
});

test('the list of contents in the image names each of its packages, and no other', () => {
  const { components } = JSON.parse(readFileSync(join(image, 'app/sbom.cdx.json'), 'utf8')) as {
    components: { name: string; version: string; licenses?: unknown[] }[];
  };
  const installed = packagesIn(join(image, 'app/node_modules'));
  assert.deepEqual(components.map(({ name, version }) => `${name}@${version}`).sort(), installed);
  assert.deepEqual(
    components.filter(({ licenses }) => licenses === undefined || licenses.length === 0).map(({ name }) => name),
    [],
  );
});

test('the image has no signature to prove at its start: all were proven when it was built', () => {
  const dist = (path: string): string => JSON.stringify(pathToFileURL(join(image, 'app/dist', path)).href);
  const { status, output } = runAsNobody([
    '--input-type=module',
    '-e',
    `import { splitByBuildProof } from ${dist('src/scanner/proven-at-build.js')};
     import { loadSignatures } from ${dist('src/signatures/load.js')};
     const { proven, unproven } = splitByBuildProof(loadSignatures().signatures);
     console.log(proven.length > 0, unproven.length);`,
  ]);
  assert.deepEqual([output.trim(), status], ['true 0', 0]);
});

test('the image serves a call as a user who may write nothing, is found healthy, and leaves with 0 on SIGTERM', async () => {
  const port = await freePort();
  const [, ...entry] = execForm(only(stages[1]!, 'ENTRYPOINT')).map((word) => word.replace('/app', join(image, 'app')));
  const config = join(image, 'etc/guard/config.yaml');
  assert.equal(tryToWrite(join(image, 'app/x')), false, 'the tree can be written by the user it runs as');
  const proxy = startAsNobody(
    [...entry, ...execForm(only(stages[1]!, 'CMD')), '-c', config, '--host', '127.0.0.1', '--port', String(port)],
    {
      GUARD_UPSTREAM_A_URL: upstream.url,
      GUARD_SERVER__SHUTDOWN_DELAY_MS: '100',
    },
  );
  try {
    await until('the image to be ready', () => answers(`http://127.0.0.1:${port}/readyz`), { heard: proxy.output });
    await callThrough(`http://127.0.0.1:${port}`);
    const [, ...check] = execForm(/CMD (.*)$/.exec(only(stages[1]!, 'HEALTHCHECK'))![1]!).map((word) =>
      word.replace('/app', join(image, 'app')),
    );
    const healthy = startAsNobody([...check, '--url', `http://127.0.0.1:${port}`]);
    assert.equal(await healthy.exited, 0, healthy.output());
    proxy.signal('SIGTERM');
    assert.equal(await proxy.exited, 0, proxy.output());
    const unhealthy = startAsNobody([...check, '--url', `http://127.0.0.1:${port}`]);
    assert.equal(await unhealthy.exited, 1, unhealthy.output());
  } finally {
    await proxy.stop();
  }
});

function carryOut(stage: Stage, root: string, roots: ReadonlyMap<string, string>): void {
  let at = root;
  const inside = (path: string): string => (path.startsWith('/') ? join(root, path) : join(at, path));
  for (const { keyword, text } of stage.steps) {
    if (keyword === 'WORKDIR') {
      at = inside(text);
      mkdirSync(at, { recursive: true });
    } else if (keyword === 'COPY') {
      const { from, sources, target } = copyOf(text);
      const origin = from === null ? REPOSITORY : roots.get(from)!;
      for (const source of sources) {
        const into = target.endsWith('/') ? join(inside(target), source.split('/').at(-1)!) : inside(target);
        cpSync(join(origin, source), into, { recursive: true });
      }
    } else if (keyword === 'RUN' && text.startsWith('npm ci')) {
      // What `npm ci` would install is what is installed here already.
      cpSync(realpathSync(join(REPOSITORY, 'node_modules')), join(at, 'node_modules'), {
        recursive: true,
        verbatimSymlinks: true,
      });
    } else if (keyword === 'RUN' && !text.startsWith('apt-get')) {
      // Its own output folder, whatever the tests are being run from.
      const { status, output } = run('sh', ['-ec', text], { cwd: at, env: { GUARD_BUILD_OUT: 'dist' } });
      assert.equal(status, 0, `${text}\n${output}`);
    }
  }
}

function sizeOf(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function packagesIn(modules: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : [name],
  )) {
    const { name, version } = JSON.parse(readFileSync(join(modules, entry, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
    };
    found.push(`${name}@${version}`);
    const below = join(modules, entry, 'node_modules');
    if (existsSync(below)) found.push(...packagesIn(below));
  }
  return found.sort();
}
