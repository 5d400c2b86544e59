import { closest } from '../config/suggest.ts';
import { misuse, type Arguments, type Command } from './command.ts';
import { CONFIG_FLAGS } from './config-flags.ts';

interface Action {
  /** Flags in addition to `config` and `json`. */
  readonly flags: readonly string[];
  readonly run: (args: Arguments, paths: readonly string[]) => Promise<number>;
}

/** Imported on demand: `--help` must not wait for the scanner pool to load. */
const ACTIONS: Readonly<Record<string, Action>> = {
  lint: { flags: [], run: async (args, paths) => (await import('./signatures-lint.ts')).lint(args, paths) },
  test: {
    flags: ['benign', 'most-blocked', 'slowest'],
    run: async (args, paths) => (await import('./signatures-test.ts')).testSignatures(args, paths),
  },
  keygen: { flags: ['out'], run: async (args) => (await import('./signatures-bundle.ts')).keygen(args) },
  sign: {
    flags: ['key', 'out', 'bundle-version', 'days', 'min-engine', 'replace'],
    run: async (args, paths) => (await import('./signatures-bundle.ts')).signFiles(args, paths),
  },
  verify: {
    flags: ['trust'],
    run: async (args, paths) => (await import('./signatures-bundle.ts')).verifyFile(args, paths),
  },
};

const MOST_PATHS = 1000;
const OF_ONE_ACTION: ReadonlySet<string> = new Set(Object.values(ACTIONS).flatMap(({ flags }) => flags));

/** Checks signatures, and creates and verifies signed bundles. */
export const command: Command = {
  usage: [
    'signatures lint [PATH ...]     whether signatures are sound and keep what their examples promise',
    'signatures test [--benign FOLDER] [PATH ...]     and what they cost, and what they say to benign text',
    'signatures keygen --out FILE     a key to sign bundles with',
    'signatures sign --key FILE --bundle-version NUMBER --out FILE PATH ...     proves files and signs them as one bundle',
    'signatures verify --trust KEY BUNDLE     whether a bundle is whole, signed by this key, and keeps its promises',
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
    key: { value: 'FILE', help: 'sign: the private key' },
    out: { value: 'FILE', help: 'keygen, sign: where the result goes; never over a file that exists' },
    'bundle-version': { value: 'NUMBER', help: 'sign: counts up from bundle to bundle' },
    days: { value: 'NUMBER', help: 'sign: how long it may be taken (default: 90)' },
    'min-engine': { value: 'VERSION', help: 'sign: the oldest guard that can read it (default: this one)' },
    replace: { help: 'sign: stands in for the shipped signatures instead of joining them' },
    trust: { value: 'KEY', many: true, help: 'verify: a public key, as keygen prints it' },
    json: { help: 'print everything as JSON' },
  },
  maxWords: MOST_PATHS + 1,
  async run(args) {
    const names = Object.keys(ACTIONS);
    const [name, ...paths] = args.words;
    if (name === undefined) throw misuse(`signatures needs one of ${names.join(', ')}`);
    if (!Object.hasOwn(ACTIONS, name)) {
      const meant = closest(name, names);
      throw misuse(`signatures knows ${names.join(', ')}${meant === null ? '' : `; did you mean ${meant}?`}`);
    }
    const action = ACTIONS[name]!;
    for (const flag of OF_ONE_ACTION) {
      const given = args.has(flag) || args.list(flag).length > 0;
      if (given && !action.flags.includes(flag)) throw misuse(`signatures ${name} takes no --${flag}`);
    }
    return await action.run(args, paths);
  },
};
