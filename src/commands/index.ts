import type { Command } from './command.ts';

export interface Row {
  /** It is here rather than in the command, so that the help does not load the commands that it lists. */
  readonly summary: string;
  /** Imported on demand: a health check must not wait for the engine of `serve` to load. */
  readonly load: () => Promise<{ readonly command: Command }>;
}

/** Every command, in the order of the help. */
export const COMMANDS = {
  serve: { summary: 'run the proxy; what `guard` alone does', load: () => import('./serve.ts') },
  demo: {
    summary: 'run the proxy with a stand-in for the providers, and say what to try',
    load: () => import('./demo.ts'),
  },
  check: { summary: 'judge one text, without a server', load: () => import('./check.ts') },
  config: { summary: 'check a configuration, or print what it means', load: () => import('./config.ts') },
  signatures: { summary: 'check signatures: are they sound, quick and quiet', load: () => import('./signatures.ts') },
  eval: { summary: 'measure recall and false positives on labelled texts', load: () => import('./eval.ts') },
  'control-plane': {
    summary: 'run the control plane of a fleet of proxies',
    load: () => import('./control-plane.ts'),
  },
  keys: { summary: 'create a key for the endpoints of the proxy itself', load: () => import('./keys.ts') },
  healthcheck: { summary: 'ask a running proxy whether it is alive', load: () => import('./healthcheck.ts') },
} satisfies Record<string, Row>;

export const DEFAULT_COMMAND = 'serve';
