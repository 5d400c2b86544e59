import { formatProblem } from '../config/complaint.ts';
import { loadControlPlane } from '../config/control-plane.ts';
import { startControlPlane } from '../control-plane/server/start.ts';
import { VERSION } from '../version.ts';
import { EXIT, type Command } from './command.ts';

/** Runs the control plane of a fleet until a signal ends it. */
export const command: Command = {
  usage: ['control-plane [-c FILE]'],
  flags: {
    config: { alias: 'c', value: 'FILE', help: 'its configuration: docs/control-plane.md (default: all defaults)' },
    check: { help: 'check the configuration and stop' },
  },
  maxWords: 0,
  async run(args) {
    const loaded = loadControlPlane(args.text('config'), process.env);
    if (loaded.config === null) {
      for (const problem of loaded.problems) console.error(formatProblem(problem));
      return EXIT.config;
    }
    if (args.has('check')) {
      console.log('valid');
      return EXIT.ok;
    }
    const plane = await startControlPlane(loaded.config).catch((error: unknown) => {
      console.error(`guard: the control plane cannot start: ${reasonOf(error)}`);
      return null;
    });
    if (plane === null) return EXIT.failure;
    const { host, port } = plane.address;
    plane.log.event('info', 'the control plane listens', {
      address: `${host.includes(':') ? `[${host}]` : host}:${port}`,
      version: VERSION,
      reason: plane.storage,
      ...(plane.firstKeyFile === null ? {} : { file: plane.firstKeyFile }),
    });
    if (plane.firstKeyFile !== null)
      console.error(`The first administrator's key is in ${plane.firstKeyFile}; the page asks for it.`);
    const signal = await new Promise<string>((resolve) => {
      for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
    });
    // A second signal ends the process at once: it must be possible to leave when a database never answers.
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => process.exit(1));
    plane.log.event('info', 'the control plane stops', { signal });
    await plane.close();
    return EXIT.ok;
  },
};

/** The error's code if it has one: a database's message names hosts and users, and sometimes quotes the query. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  return typeof message === 'string' && message !== '' ? message : 'unknown reason';
}
