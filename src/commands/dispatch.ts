import { closest } from '../config/suggest.ts';
import { parseArguments } from './argv.ts';
import { EXIT, isMisuse, misuse } from './command.ts';
import { commandHelp, HELP_FLAG, overview } from './help.ts';
import { COMMANDS, DEFAULT_COMMAND } from './index.ts';
import type { Row } from './index.ts';

const VERSION_FLAG = { alias: 'v', help: 'print the version and stop' } as const;
const CHECK_FLAG = { alias: 't', help: 'check the configuration and stop, as `guard config check`' } as const;

const ROWS: Readonly<Record<string, Row>> = COMMANDS;

/** Runs a command and returns the exit code. Every wrong call is reported here, in one form. */
export async function dispatch(given: readonly string[]): Promise<number> {
  // `guard help config` is what many type first.
  const argv = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  const first = argv[0];
  const named = first !== undefined && !first.startsWith('-');
  const name = named ? first : DEFAULT_COMMAND;
  try {
    return await run(name, named ? argv.slice(1) : argv, named);
  } catch (error) {
    if (!isMisuse(error)) throw error;
    const about = Object.hasOwn(ROWS, name) && named ? `guard ${name} --help` : 'guard --help';
    console.error(`guard: ${error.message}\n${about} shows how to call it.`);
    return EXIT.usage;
  }
}

async function run(name: string, rest: readonly string[], named: boolean): Promise<number> {
  const row = Object.hasOwn(ROWS, name) ? ROWS[name]! : null;
  if (row === null) throw misuse(unknownCommand(name));
  // Before anything is loaded: help and version must work even where the engine cannot be loaded.
  if (!named && asks(rest, 'help', 'h'))
    return say(overview(ROWS, { 'check-config': CHECK_FLAG, help: HELP_FLAG, version: VERSION_FLAG }));
  if (!named && asks(rest, 'version', 'v')) return say((await import('../version.ts')).VERSION);

  // As in nginx and HAProxy, `-t` checks the configuration. It never loads what serving needs.
  if (name === DEFAULT_COMMAND && asks(rest, 'check-config', 't') && !asks(rest, 'help', 'h')) {
    const { command } = await COMMANDS.config.load();
    const args = parseArguments(rest, { ...command.flags, 'check-config': CHECK_FLAG }, 0);
    return await command.run({ ...args, words: ['check'] });
  }

  const { command } = await row.load();
  if (asks(rest, 'help', 'h')) return say(commandHelp(name, row.summary, command));
  return await command.run(parseArguments(rest, command.flags, command.maxWords));
}

/**
 * Whether the flag is given, also in a group of short flags such as `-tc FILE`. This runs before the arguments are
 * parsed, because the answer decides which command is loaded.
 */
function asks(argv: readonly string[], long: string, short: string): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some((token) => {
    const name = token.split('=', 1)[0]!;
    return name === `--${long}` || (/^-[A-Za-z]+$/.test(name) && name.includes(short));
  });
}

function say(text: string): number {
  console.log(text);
  return EXIT.ok;
}

function unknownCommand(name: string): string {
  const meant = closest(name, Object.keys(ROWS));
  return `unknown command ${JSON.stringify(name.slice(0, 40))}${meant === null ? '' : `; did you mean ${meant}?`}`;
}
