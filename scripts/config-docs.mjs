// Writes docs/configuration.md from the schema that the proxy itself uses.
//   node scripts/config-docs.mjs [--check]    --check only says whether the page is current
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeOrCheck } from './page.mjs';

const out = process.env.GUARD_BUILD_OUT ?? 'dist';
const load = (file) => import(pathToFileURL(resolve(out, 'src/config', file)).href);
const [
  { schema },
  { entryOf, expectation, isList, isMap, sectionOf },
  { BUNDLED_VARIABLES, NAMED_VARIABLES },
  { fallbacks },
] = await Promise.all(['schema.js', 'shape.js', 'variables.js', 'kinds.js'].map(load));

/** Sections that have the keys of `policy`, which are described only there. */
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

/**
 * The default of a key. An optional key without a default has at most a description of it; a required one is
 * `needed`.
 */
function fallback(at) {
  const said = fallbacks.get(at)?.fallback;
  if (said !== undefined) return said;
  if (at.def.type === 'default') return `\`${JSON.stringify(at.def.defaultValue)}\``;
  return at.safeParse(undefined).success ? '' : 'needed';
}

/** Text before the table of a section. */
const PREFACES = {
  policy: `There are four actions, from the mildest to the strictest:

| Action | What becomes of the text | What is counted and logged |
|---|---|---|
| \`allow\` | It passes as if nothing had been found. | Nothing. |
| \`log\` | It passes. | The finding counts in \`guard_detections_total\`, and is in the log line of the call, at level \`info\`. |
| \`warn\` | It passes. | The same, at level \`warn\`. |
| \`block\` | It is refused: 400 \`content_blocked\` for a request, which nobody else sees; 502 \`response_blocked\` for a response, or an error frame where a stream has begun. | The same, at level \`warn\`. |

A client of the proxy sees no difference between \`allow\`, \`log\` and \`warn\`; only POST /check says which it was.

What becomes of a text is decided in four steps:

1. Findings that an entry of \`policy.exclusions\` names are left out.
2. The other findings of one category add up. They count when their score reaches 1 - \`sensitivity\`.
3. The category says what they lead to (\`policy.categories\`), or else \`policy.default_action\`. The strictest category decides.
4. In a request, the role of the text is an upper bound (\`policy.roles\`): by default an attack in a system prompt is warned about at
   most. In a response there is no such bound. All text of an uploaded file has the role \`document\` or \`tool_result\`, whatever roles the file
   names, unless the form says \`purpose\` \`batch\` or \`fine-tune\` at a path that ends in \`/files\`.

[operations.md](operations.md#false-positives) has examples of exclusions, of a shadow policy and of a policy for one upstream.`,
  auth: `As long as \`auth.keys\` is empty no endpoint asks for a key. Then:

- **POST /check** asks for a key with the scope \`check\` as soon as there is any key, whatever its scopes.
- **Metrics** ask for a key with the scope \`metrics\` only when some key has that scope. Otherwise everybody who reaches them may read them.
- **The console** (\`admin\`) asks for a key with the scope \`admin\` when some key has that scope.
- **\`GET /\`, \`/healthz\` and \`/readyz\`** never ask for a key.
- **Proxied calls** never ask for a key. They carry the credentials of the provider.

A key travels as \`Authorization: Bearer KEY\` or as \`X-API-Key: KEY\`. \`guard keys create --scope check\` makes one, and prints
the entry for this file.`,
};

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
    ...(PREFACES[name] === undefined ? [] : [PREFACES[name], '']),
    '| Key | Holds | Default | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const page = `# Configuration

<!-- Made from the schema by scripts/config-docs.mjs; change the descriptions there, in src/config/. -->

guard reads one YAML file: the one named with \`-c FILE\`, else \`/etc/guard/config.yaml\` if there is one, else the file that it
ships with (\`src/config/default.yaml\`). The files are not merged: a file of your own replaces the shipped one. Only its upstreams \`llm-a\` and
\`llm-b\` stay where your file says nothing of \`upstreams\`. An unknown key is an error. Problems are reported together, with file, line and column: first all
keys and values that cannot be, then all that do not fit each other, then those of the signatures:

    guard config check -c my.yaml    # says what is wrong, and exits with 78 when anything is
    guard config print -c my.yaml    # prints the result: with defaults, environment and flags, secrets covered

For completion in an editor, begin the file with \`# yaml-language-server: $schema=\` and the path of \`config.schema.json\`.

## Precedence

There are four sources: defaults, the file, the environment, and flags of the command line. A later one wins over an earlier one, key
by key.

- **In the file**, \`\${NAME}\` and \`\${NAME:-default}\` in a value are replaced from the environment. The type of the value is looked at
  afterwards, so \`port: \${PORT:-8080}\` is a number. Between braces or brackets the reference needs quotes. A variable that is not
  set and has no default is a problem. Write \`$\${\` for a literal \`\${\`.
- **In the environment**, every single key has a variable: \`GUARD_\`, then the key in capitals, with \`__\` between levels and \`_\` for
  \`-\` and \`.\`. Examples are \`GUARD_SERVER__PORT=9090\` and \`GUARD_UPSTREAMS__LLM_A__URL=...\`. A list is written with commas, or as
  JSON. A variable can change an upstream and cannot add one, and one that stands for two upstreams (\`llm-a\` and \`llm_a\`) is a problem. A
  variable that is set to nothing counts as not set.
- **On the command line**, \`--set server.port=9090\` sets any key. \`--host\`, \`--port\` and \`--log-level\` are short for the common ones.

In variables and flags, words such as \`closed\` and \`INFO\` may have any letter case, \`warning\` means \`warn\`, and \`yes\`, \`on\`, \`y\`, \`1\`, \`no\`, \`off\`,
\`n\` and \`0\` stand for true and false. In the file, each value has one spelling.

An unknown \`GUARD_\` variable is a problem when it resembles a setting (\`GUARD_SERVER_PORT\`, \`GUARD_FAILURE_MODE\`) or has \`__\` in it. Any other one
(\`GUARD_VERSION\`, \`GUARD_BASE_URL\`) belongs to whoever set it: it has no effect, and a warning in the log names it. Those that Kubernetes sets for a
Service are passed over.

These variables have names of their own, and win over the general form:

| Variable | Key |
|---|---|
${Object.entries(NAMED_VARIABLES)
  .map(([name, key]) => `| \`${name}\` | \`${key}\` |`)
  .join('\n')}

The shipped file also reads ${BUNDLED_VARIABLES.map((name) => `\`${name}\``).join(' and ')}: the addresses of \`llm-a\` and \`llm-b\`. With
upstreams of your own they do nothing, unless your file mentions them.

A secret may be kept in a file of its own: \`control_plane.api_key_file\` and \`rate_limit.store_file\` name it. Relative paths start
from the folder of the configuration file. Of keys for guard's own endpoints only the SHA-256 is kept.

## Keys

In the tables, \`NAME\` stands for a name of your choice and \`[]\` for the entries of a list. A section or a key without a value has its
default.

${Object.entries(schema.shape)
  .map(([name, at]) => table(name, at))
  .join('\n')}`;

writeOrCheck('config-docs', { 'docs/configuration.md': `${page.trimEnd()}\n` });
