import minimist from 'minimist';
import { closest } from '../config/suggest.ts';
import { misuse } from './command.ts';
import type { Arguments, Flag, Flags } from './command.ts';

/** Parses arguments. minimist only splits them; everything that it would silently accept is refused here. */
export function parseArguments(argv: readonly string[], flags: Flags, maxWords: number): Arguments {
  const names = Object.keys(flags);
  const isSwitch = (name: string): boolean => flags[name]!.value === undefined;
  const parsed = minimist([...argv], {
    // Positional arguments stay text: minimist would turn 0123 and 1e3 into numbers.
    string: [...names.filter((name) => !isSwitch(name)), '_'],
    boolean: names.filter(isSwitch),
    alias: Object.fromEntries(
      names.flatMap((name) => (flags[name]!.alias === undefined ? [] : [[flags[name]!.alias, name]])),
    ),
    unknown: (token) => {
      if (!token.startsWith('-') || token === '-') return true;
      throw misuse(unknownFlag(token, names));
    },
  }) as Record<string, unknown> & { _: string[] };

  if (parsed._.length > maxWords)
    throw misuse(`unexpected argument ${JSON.stringify(parsed._[maxWords]!.slice(0, 40))}`);
  const values = new Map<string, readonly string[]>();
  const switches = new Set<string>();
  for (const [name, flag] of Object.entries(flags)) {
    const given = parsed[name];
    if (flag.value === undefined) {
      refuseValue(name, flag, argv);
      if (given === true) switches.add(name);
      continue;
    }
    const texts = given === undefined ? [] : textsOf(name, flag, [given].flat());
    if (flag.many !== true && texts.length > 1) throw misuse(`--${name} is given more than once`);
    values.set(name, texts);
  }
  return {
    words: parsed._,
    has: (name) => switches.has(name),
    text: (name) => values.get(name)?.[0],
    list: (name) => values.get(name) ?? [],
  };
}

/** Refuses `--switch=value` and `--no-switch`, to which minimist gives undocumented meanings. */
function refuseValue(name: string, { alias }: Flag, argv: readonly string[]): void {
  const odd = (token: string): boolean =>
    token.startsWith(`--${name}=`) ||
    token === `--no-${name}` ||
    (alias !== undefined && token.startsWith(`-${alias}=`));
  const end = argv.indexOf('--');
  if (argv.slice(0, end === -1 ? argv.length : end).some(odd)) throw misuse(`--${name} takes no value`);
}

function textsOf(name: string, flag: Flag, given: readonly unknown[]): readonly string[] {
  // minimist returns an empty text for a bare `-c`, and a boolean for `--no-config`.
  if (given.some((each) => typeof each !== 'string' || each === ''))
    throw misuse(`--${name} needs a value: --${name} ${flag.value}`);
  return given as readonly string[];
}

/** The message repeats only the name: the text after the equals sign may be a key, and one with blanks a prompt. */
function unknownFlag(token: string, names: readonly string[]): string {
  if (/^[^=]*\s/.test(token)) return 'a text that begins with a dash needs -- before it';
  const name = /^-+([^=]*)/.exec(token)?.[1] ?? '';
  const dashes = token.startsWith('--') ? '--' : '-';
  const meant = closest(name, names);
  return `unknown flag ${dashes}${name.slice(0, 40)}${meant === null ? '' : `; did you mean --${meant}?`}`;
}
