import { closest } from '../config/suggest.ts';
import { misuse, type Arguments, type Command } from './command.ts';
import { CONFIG_FLAGS } from './config-flags.ts';

interface Action {
  /** Flags beside `config` and `json`. */
  readonly flags: readonly string[];
  readonly run: (args: Arguments, paths: readonly string[]) => Promise<number>;
}

/** Loaded when called: `--help` must not wait for the pool. */
const ACTIONS: Readonly<Record<string, Action>> = {
  lint: { flags: [], run: async (args, paths) => (await import('./signatures-lint.ts')).lint(args, paths) },
  test: {
    flags: ['benign', 'most-blocked', 'slowest'],
    run: async (args, paths) => (await import('./signatures-test.ts')).testSignatures(args, paths),
  },
};

const MOST_PATHS = 1000;

export const command: Command = {
  usage: [
    'signatures lint [PATH ...]     whether signatures are sound and keep what their examples promise',
    'signatures test [--benign FOLDER] [PATH ...]     and what they cost, and what they say to benign text',
  ],
  flags: {
    config: { ...CONFIG_FLAGS.config, help: `${CONFIG_FLAGS.config.help}; its signatures and its policy are used` },
    benign: {
      value: 'FOLDER',
      help: 'test: .txt files, and .jsonl files with a text a line, that no signature should stop',
    },
    'most-blocked': {
      value: 'NUMBER',
      help: 'test: fail when more benign texts than this would be blocked (default: 0)',
    },
    slowest: { value: 'MBS', help: 'test: fail when hostile text is scanned slower, in MB/s (default: 10)' },
    json: { help: 'print everything as JSON' },
  },
  maxWords: MOST_PATHS + 1,
  async run(args) {
    const names = Object.keys(ACTIONS);
    const [name, ...paths] = args.words;
    if (name === undefined) throw misuse(`signatures needs one of ${names.join(', ')}`);
    if (!Object.hasOwn(ACTIONS, name)) {
      const meant = closest(name, names);
      throw misuse(`signatures knows ${names.join(' and ')}${meant === null ? '' : `; did you mean ${meant}?`}`);
    }
    const action = ACTIONS[name]!;
    for (const flag of ['benign', 'most-blocked', 'slowest'])
      if (args.text(flag) !== undefined && !action.flags.includes(flag))
        throw misuse(`signatures ${name} takes no --${flag}`);
    return await action.run(args, paths);
  },
};
