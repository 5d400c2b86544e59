import { loadControlPlane, type ControlPlaneConfig } from '../config/control-plane.ts';
import { startControlPlane } from '../control-plane/server/start.ts';
import { VERSION } from '../version.ts';
import { EXIT, type Command } from './command.ts';
import { sayProblems } from './say-problems.ts';
import { listenFault } from './start-fault.ts';

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
      sayProblems(loaded.problems);
      return EXIT.config;
    }
    if (args.has('check')) {
      console.log('valid');
      return EXIT.ok;
    }
    const { config } = loaded;
    const plane = await startControlPlane(config).catch((error: unknown) => {
      console.error(`guard: the control plane cannot start: ${reasonOf(error, config)}`);
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

/** What to do about the codes of a storage that are met most. */
const STORAGE_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens where storage.url says',
  ENOTFOUND: 'the host of storage.url is not known here',
  ETIMEDOUT: 'the host of storage.url does not answer',
  '28P01': 'the database does not accept the user and password of storage.url',
  '28000': 'the database does not accept the user of storage.url',
  '3D000': 'there is no database of the name in storage.url',
  '42501': 'the user of storage.url may not create tables',
  EACCES: 'this user may not write to storage.folder',
  EROFS: 'storage.folder is on a read-only file system',
  ENOSPC: 'there is no room left in storage.folder',
};

/** The error's code if it has one: a database's message names hosts and users, and sometimes quotes the query. */
function reasonOf(error: unknown, { server, storage }: ControlPlaneConfig): string {
  const listening = listenFault(error, [{ key: 'server', host: server.host, port: server.port }]);
  if (listening !== null) return listening;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && code !== '') {
    const cure = STORAGE_FAULTS[code];
    const place = storage.url === 'embedded' ? ` (${storage.folder})` : '';
    return cure === undefined ? code : `${code}: ${cure}${cure.includes('storage.folder') ? place : ''}`;
  }
  return typeof message === 'string' && message !== '' ? message : 'unknown reason';
}
