import type { Command, Flags } from './command.ts';

/** The text of `guard --help`. */
export function overview(commands: Readonly<Record<string, { readonly summary: string }>>, flags: Flags): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const);
  return [
    'guard - inline security proxy for LLM traffic',
    '',
    'Usage: guard [command] [flags]',
    '',
    'Commands:',
    ...columns(rows),
    '',
    'Flags:',
    ...columns(flagRows(flags)),
    '',
    'guard COMMAND --help describes one command. Without a command, guard serves.',
    'Exit codes: 0 done, 1 failed, 2 called wrongly, 78 configuration not valid.',
  ].join('\n');
}

/** The text of `guard COMMAND --help`. */
export function commandHelp(name: string, summary: string, command: Command): string {
  return [
    `guard ${name}: ${summary}`,
    '',
    ...command.usage.map((line, index) => `${index === 0 ? 'Usage:' : '      '} guard ${line}`),
    '',
    'Flags:',
    ...columns(flagRows({ ...command.flags, help: HELP_FLAG })),
  ].join('\n');
}

export const HELP_FLAG = { alias: 'h', help: 'show this and stop' } as const;

function flagRows(flags: Flags): readonly (readonly [string, string])[] {
  return Object.entries(flags).map(([name, flag]) => {
    const short = flag.alias === undefined ? '    ' : `-${flag.alias}, `;
    return [`${short}--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`, flag.help];
  });
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
