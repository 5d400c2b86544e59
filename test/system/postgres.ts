/** A PostgreSQL of Debian's packages, on a free port, run by somebody who is not root: it refuses to be anything else. */
import { chownSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { folder, freePort, run, start, until, type Program } from './processes.ts';

export interface Postgres {
  readonly url: string;
  /** As by a failing machine: no goodbye to anybody. */
  kill(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

const ROOT = '/usr/lib/postgresql';

function binaries(): string {
  const versions = readdirSync(ROOT).sort((a, b) => Number(a) - Number(b));
  return join(ROOT, versions.at(-1)!, 'bin');
}

export async function startPostgres(): Promise<Postgres> {
  const files = folder();
  const place = join(files.path, 'data');
  const sockets = join(files.path, 'sockets');
  for (const each of [place, sockets]) mkdirSync(each, { mode: 0o700 });
  // By number it would not do: it looks its user up. The package has made one.
  const isRoot = process.getuid?.() === 0;
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(run('id', [flag, 'postgres']).output));
  if (isRoot) for (const each of [files.path, place, sockets]) chownSync(each, uid!, gid!);
  const become = isRoot ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'] : [];
  const as = (command: string, ...args: string[]): [string, string[]] => {
    const [first, ...rest] = [...become, join(binaries(), command), ...args];
    return [first!, rest];
  };
  const initialised = run(
    ...as('initdb', '-D', place, '-U', 'guard', '--auth=trust', '--no-sync', '--locale=C', '-E', 'UTF8'),
    {
      cwd: files.path,
      env: { HOME: files.path },
    },
  );
  if (initialised.status !== 0) throw new Error(initialised.output);
  const port = await freePort();
  let program: Program | null = null;
  const isUp = (): boolean =>
    run(...as('pg_isready', '-h', '127.0.0.1', '-p', String(port), '-U', 'guard', '-d', 'postgres')).status === 0;
  const postgres: Postgres = {
    url: `postgres://guard@127.0.0.1:${port}/postgres`,
    async start() {
      // Durable as it comes: what was accepted before a kill must be there after it.
      program = start(
        ...as(
          'postgres',
          '-D',
          place,
          '-p',
          String(port),
          '-k',
          sockets,
          '-c',
          'listen_addresses=127.0.0.1',
          '-c',
          'max_connections=40',
        ),
      );
      const { output } = program;
      await until('PostgreSQL', isUp, { heard: output });
    },
    async kill() {
      // Its children notice on their own; the next start waits for the last of them.
      program?.signal('SIGQUIT');
      await program?.exited;
      program = null;
    },
    async remove() {
      await postgres.kill();
      files.remove();
    },
  };
  await postgres.start();
  return postgres;
}
