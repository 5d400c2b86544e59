// Writes docs/commands.md from what each command says of itself.
//   node scripts/commands-docs.mjs [--check]    --check only says whether the page is current
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeOrCheck } from './page.mjs';

const out = process.env.GUARD_BUILD_OUT ?? 'dist';
const { COMMANDS } = await import(pathToFileURL(resolve(out, 'src/commands/index.js')).href);
const help = (...command) =>
  execFileSync(process.execPath, [join(out, 'src/main.js'), ...command, '--help'], { encoding: 'utf8' }).trimEnd();

/** Where the other pages say what a command is good for. */
const EXPLAINED = {
  serve: '[operations.md](operations.md)',
  demo: "[the README's first lines](../README.md)",
  check: '[operations.md](operations.md#false-positives)',
  config: '[configuration.md](configuration.md)',
  signatures: '[signatures.md](signatures.md), and for bundles [control-plane.md](control-plane.md)',
  eval: '[detection.md](detection.md)',
  'control-plane': '[control-plane.md](control-plane.md)',
  keys: '[configuration.md](configuration.md#auth)',
  healthcheck: '[operations.md](operations.md)',
};

const block = (text) => ['```', text, '```', ''].join('\n');

const page = `# Commands

<!-- Made from the commands' own help by scripts/commands-docs.mjs; change the texts there, in src/commands/. -->

All commands of \`guard\` with their flags, as \`guard COMMAND --help\` prints them. In a clone, type \`node dist/src/main.js\` in place
of \`guard\`.

${block(help())}
${Object.keys(COMMANDS)
  .map((name) => `## ${name}\n\nSee ${EXPLAINED[name]}.\n\n${block(help(name))}`)
  .join('\n')}`;

writeOrCheck('commands-docs', { 'docs/commands.md': `${page.trimEnd()}\n` });
