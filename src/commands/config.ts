import { closest } from '../config/suggest.ts';
import { EXIT, misuse } from './command.ts';
import type { Command } from './command.ts';
import { CONFIG_FLAGS, configFor } from './config-flags.ts';

const ACTIONS = ['check', 'print'] as const;

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
