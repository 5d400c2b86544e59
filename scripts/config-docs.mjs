// Writes docs/configuration.md from the schema that the proxy itself uses.
//   node scripts/config-docs.mjs [--check]    --check only says whether the page is current
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const out = process.env.GUARD_BUILD_OUT ?? 'dist';
const load = (file) => import(pathToFileURL(resolve(out, 'src/config', file)).href);
const [{ schema }, { entryOf, expectation, isList, isMap, sectionOf }, { NAMED_VARIABLES }] = await Promise.all([
  load('schema.js'),
  load('shape.js'),
  load('variables.js'),
]);

/** Described once, under `policy`. */
const SAME_AS_POLICY = new Set(['upstreams.NAME.policy', 'policy.shadow']);

function* keysBelow(at, path) {
  const section = sectionOf(at);
  if (section !== null) {
    for (const [key, under] of Object.entries(section)) yield* keyAndBelow(under, path === '' ? key : `${path}.${key}`);
  } else if (isMap(at)) {
    yield* keysBelow(entryOf(at), `${path}.NAME`);
  } else if (isList(at)) {
    yield* keysBelow(entryOf(at), `${path}[]`);
  }
}

function* keyAndBelow(at, path) {
  const leaf = sectionOf(at) === null && !isMap(at);
  if (leaf || SAME_AS_POLICY.has(path))
    yield { path, holds: holds(at, path), fallback: fallback(at), text: at.description ?? '' };
  if (!SAME_AS_POLICY.has(path)) yield* keysBelow(at, path);
}

function holds(at, path) {
  if (SAME_AS_POLICY.has(path)) return 'keys of `policy`';
  if (!isList(at)) return expectation(at);
  const entry = entryOf(at);
  return sectionOf(entry) === null ? `list: ${expectation(entry)}` : 'list of sections';
}

/** A key that may be absent without a default has nothing to show; one that may not must be given. */
function fallback(at) {
  if (at.def.type === 'default') return `\`${JSON.stringify(at.def.defaultValue)}\``;
  return at.safeParse(undefined).success ? '' : 'needed';
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function table(name, at) {
  const rows = [...keysBelow(at, name)].map(
    ({ path, holds, fallback, text }) => `| \`${path}\` | ${cell(holds)} | ${cell(fallback)} | ${cell(text)} |`,
  );
  return [
    `### ${name}`,
    '',
    at.description ?? '',
    '',
    '| Key | Holds | Default | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const page = `# Configuration

<!-- Made from the schema by scripts/config-docs.mjs; change the descriptions there, in src/config/. -->

One YAML file. guard takes the one named with \`-c FILE\`, else \`/etc/guard/config.yaml\`, else the one it ships with.
An unknown key is an error; every problem is reported at once, with file, line and column:

    guard config check -c my.yaml    # what is wrong; exit code 78 when anything is
    guard config print -c my.yaml    # what it means: defaults, environment and flags applied, secrets covered

For completion in an editor, begin the file with \`# yaml-language-server: $schema=\` and the path of \`config.schema.json\`.

## Precedence

Defaults, then the file, then the environment, then flags. The strongest that says something wins, key by key.

- **In the file**, \`\${NAME}\` and \`\${NAME:-default}\` in a value are replaced from the environment before the value is typed, so
  \`port: \${PORT:-8080}\` is a number. Between braces or brackets the reference needs quotes. A variable that is not set and has no
  default is a problem. \`$\${\` stands for a literal \`\${\`.
- **In the environment**, every single key has a variable: \`GUARD_\`, then the key in capitals with \`__\` between levels and \`_\` for
  \`-\` and \`.\`: \`GUARD_SERVER__PORT=9090\`, \`GUARD_UPSTREAMS__LLM_A__URL=...\`. A list is written with commas, or as JSON. Upstreams can be
  changed this way and not added. An unknown \`GUARD_\` variable is a problem, except the ones that Kubernetes sets for a Service.
  A variable that is set to nothing counts as not set.
- **On the command line**, \`--set server.port=9090\` for any key, and \`--host\`, \`--port\`, \`--log-level\` for the common ones.

These variables have names of their own, and win over the general form:

| Variable | Key |
|---|---|
${Object.entries(NAMED_VARIABLES)
  .map(([name, key]) => `| \`${name}\` | \`${key}\` |`)
  .join('\n')}

A secret may stand in a file of its own: \`control_plane.api_key_file\` and \`rate_limit.store_file\` name it. Paths are taken from the
folder of the configuration file. Keys of clients are kept as SHA-256 only; \`guard keys create --scope check\` makes one.

## Keys

\`NAME\` stands for a name of your choice, \`[]\` for the entries of a list. A section or key without a value has its default.

${Object.entries(schema.shape)
  .map(([name, at]) => table(name, at))
  .join('\n')}`;

const FILE = 'docs/configuration.md';
if (!process.argv.includes('--check')) writeFileSync(FILE, `${page.trimEnd()}\n`);
else if (readFileSync(FILE, 'utf8') !== `${page.trimEnd()}\n`) {
  console.error(`${FILE} is not current: run node scripts/config-docs.mjs`);
  process.exitCode = 1;
}
