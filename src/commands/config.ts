import type { Config } from '../config/config.ts';
import { closest } from '../config/suggest.ts';
import type { Problem } from '../domain/problem.ts';
import { EXIT, misuse } from './command.ts';
import type { Command } from './command.ts';
import { CONFIG_FLAGS, configFor } from './config-flags.ts';
import { sayProblems } from './say-problems.ts';

const ACTIONS = ['check', 'print'] as const;

/** Checks a configuration, or prints it with all defaults and overrides applied. */
export const command: Command = {
  usage: ['config check [-c FILE]', 'config print [-c FILE]'],
  flags: CONFIG_FLAGS,
  maxWords: 1,
  async run(args) {
    const action = args.words[0];
    if (action === undefined) throw misuse('config needs one of check, print');
    if (!ACTIONS.some((each) => each === action)) {
      const meant = closest(action, ACTIONS);
      throw misuse(`config knows check and print${meant === null ? '' : `; did you mean ${meant}?`}`);
    }
    const loaded = await configFor(args);
    if (loaded === null) return EXIT.config;
    const { config, file } = loaded;
    if (action === 'check') {
      const problems = await problemsOfSignatures(config);
      if (problems.length > 0) {
        sayProblems(problems);
        return EXIT.config;
      }
      const names = Object.keys(config.upstreams);
      console.log(`${file}: valid; upstreams: ${names.join(', ') || 'none'}`);
      return EXIT.ok;
    }
    const [{ stringify }, { masked }] = await Promise.all([import('yaml'), import('../config/mask.ts')]);
    console.log(
      `# ${file}, with the environment and flags applied; secrets are covered\n${stringify(masked(config)).trimEnd()}`,
    );
    return EXIT.ok;
  },
};

/**
 * The problems with signatures that a start would report. The bundled ones were proven at build time, so nothing is
 * checked unless the operator has some of their own.
 */
async function problemsOfSignatures(config: Config): Promise<readonly Problem[]> {
  if (config.signatures.paths.length === 0 || !config.scanner.enabled) return [];
  const [{ provenScanner }, { chosenSignatures }] = await Promise.all([
    import('./proving.ts'),
    import('../signatures/choose.ts'),
  ]);
  const chosen = chosenSignatures(config.signatures);
  if (chosen.problems.length > 0) return chosen.problems;
  const { threads, likeness } = config.scanner;
  const { scanner, problems } = await provenScanner(chosen.signatures, { threads, likeness });
  await scanner?.close();
  return problems;
}
