import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyOf, execForm, only, parseDockerfile } from './system/dockerfile.ts';

const root = process.cwd();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const stages = parseDockerfile(read('Dockerfile'));
const [build, image] = stages;
const manifest = JSON.parse(read('package.json')) as { version: string; license: string };

test('the image has a stage that builds and a stage that runs, both on a Node that is supported for years', () => {
  assert.equal(stages.length, 2);
  assert.equal(build!.name, 'build');
  for (const { base } of stages) assert.match(base, /^node:24-\w+-slim$/);
});

test('every COPY takes what exists, and from the context only what .dockerignore lets in', () => {
  const ignored = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.equal(ignored[0], '*', 'everything is left out that is not named');
  const let_in = ignored.slice(1).map((line) => line.replace(/^!/, ''));
  let copies = 0;
  for (const stage of stages) {
    for (const { text } of stage.steps.filter(({ keyword }) => keyword === 'COPY')) {
      const { from, sources } = copyOf(text);
      if (from !== null)
        assert.ok(from === 'build' && stage === image, `${text}: only the second stage copies, from the first`);
      for (const source of from === null ? sources : []) {
        copies++;
        assert.ok(existsSync(join(root, source)), `${source} does not exist`);
        assert.ok(
          let_in.some((name) => source === name || source.startsWith(`${name}/`)),
          `${source} is not in .dockerignore`,
        );
      }
    }
  }
  assert.ok(copies >= 8);
  for (const name of let_in)
    assert.ok(existsSync(join(root, name)), `.dockerignore lets in ${name}, which does not exist`);
});

test('packages are installed before the sources are copied, so that a change of source compiles no native module', () => {
  const order = build!.steps.map(({ keyword, text }) => `${keyword} ${text}`);
  const at = (part: string): number => {
    const index = order.findIndex((line) => line.includes(part));
    assert.notEqual(index, -1, part);
    return index;
  };
  assert.ok(at('COPY package.json package-lock.json') < at('npm ci'));
  assert.ok(at('npm ci') < at('COPY src') && at('COPY workers') < at('node scripts/build.mjs'));
  assert.ok(at('node scripts/build.mjs') < at('deploy/image/prune.mjs .'));
});

test('the image runs as a numbered user other than root, with the program itself as its first process', () => {
  assert.match(only(image!, 'USER'), /^65532:65532$/);
  assert.deepEqual(execForm(only(image!, 'ENTRYPOINT')), ['node', '/app/dist/src/main.js']);
  assert.deepEqual(execForm(only(image!, 'CMD')), ['serve']);
  assert.equal(only(image!, 'ENV'), 'NODE_ENV=production MALLOC_ARENA_MAX=2');
  assert.equal(only(image!, 'EXPOSE'), '8080');
  const steps = image!.steps.map(({ keyword }) => keyword);
  assert.ok(steps.lastIndexOf('COPY') < steps.indexOf('USER'), 'nothing in the image belongs to the user it runs as');
  assert.ok(!steps.includes('RUN'), 'the second stage runs nothing');
});

test('the health check asks as often and waits as long as the specification says', () => {
  const [, interval, timeout, command] = /--interval=(\w+) --timeout=(\w+) .*CMD (.*)$/.exec(
    only(image!, 'HEALTHCHECK'),
  )!;
  assert.deepEqual([interval, timeout], ['30s', '5s']);
  assert.deepEqual(execForm(command!), ['node', '/app/dist/src/main.js', 'healthcheck']);
});

test('the image says its version and licence, and they are those of the package', () => {
  const version = image!.steps.find(({ keyword, text }) => keyword === 'ARG' && text.startsWith('VERSION='))!;
  assert.equal(version.text, `VERSION=${manifest.version}`);
  const labels = only(image!, 'LABEL');
  for (const name of ['title', 'description', 'version', 'revision'])
    assert.match(labels, new RegExp(`org\\.opencontainers\\.image\\.${name}=`));
  assert.ok(labels.includes(`org.opencontainers.image.licenses="${manifest.license}"`));
});
