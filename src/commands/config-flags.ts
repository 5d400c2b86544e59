import type { Config } from '../config/config.ts';
import type { Loaded } from '../config/load.ts';
import { formatProblem } from '../domain/problem.ts';
import { misuse } from './command.ts';
import type { Arguments } from './command.ts';
import { sayProblems } from './say-problems.ts';

/** The flags of every command that needs the configuration. */
export const CONFIG_FLAGS = {
  config: {
    alias: 'c',
    value: 'FILE',
    help: 'configuration file (default: /etc/guard/config.yaml, else the bundled one)',
  },
  host: { value: 'ADDRESS', help: 'overrides server.host' },
  port: { alias: 'p', value: 'NUMBER', help: 'overrides server.port' },
  'log-level': { value: 'LEVEL', help: 'overrides logging.level' },
  set: { value: 'KEY=VALUE', many: true, help: 'overrides any key by its path: --set security.failure_mode=closed' },
} as const;

const SHORTCUTS = { host: 'server.host', port: 'server.port', 'log-level': 'logging.level' } as const;

/** Maps flags to paths of settings. The dedicated flags override `--set`, because they are more specific. */
function overridesOf(args: Arguments): Record<string, string> {
  const overrides: Record<string, string> = {};
  for (const setting of args.list('set')) {
    const at = setting.indexOf('=');
    if (at < 1) throw misuse('--set needs a key and a value: --set server.port=9090');
    overrides[setting.slice(0, at)] = setting.slice(at + 1);
  }
  for (const [flag, path] of Object.entries(SHORTCUTS)) {
    const value = args.text(flag);
    if (value !== undefined) overrides[path] = value;
  }
  return overrides;
}

/**
 * Loads the configuration. The modules are imported on demand: loading the schema and the YAML parser takes longer
 * than most commands.
 */
export async function loadFor(args: Arguments, file = args.text('config'), again = false): Promise<Loaded> {
  const flags = overridesOf(args);
  const { loadConfig } = await import('../config/load.ts');
  const loaded = loadConfig({ file, env: process.env, flags, again });
  if (loaded.config === null || !namesSignatures(loaded.config)) return loaded;
  const { unknownSignatureIds } = await import('./unknown-signature-ids.ts');
  return { ...loaded, warnings: [...loaded.warnings, ...unknownSignatureIds(loaded)] };
}

function namesSignatures({ signatures, policy, upstreams }: Config): boolean {
  return (
    signatures.disabled.length > 0 ||
    [policy, ...Object.values(upstreams).map((upstream) => upstream.policy)].some(
      ({ exclusions, shadow }) => exclusions.length > 0 || (shadow?.exclusions.length ?? 0) > 0,
    )
  );
}

/** The configuration file that `loadFor` reads. */
export async function fileFor(args: Arguments): Promise<string> {
  const { configFile } = await import('../config/load.ts');
  return configFile(args.text('config'));
}

/** The configuration, or null after its problems were printed. The command then ends with `EXIT.config`. */
export async function configFor(args: Arguments): Promise<{ readonly config: Config; readonly file: string } | null> {
  const loaded = await loadFor(args);
  sayProblems(loaded.problems);
  for (const warning of loaded.warnings) console.error(`warning: ${formatProblem(warning)}`);
  return loaded.config === null ? null : { config: loaded.config, file: loaded.file };
}
