import { mkdir } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The one door to a database, of which there are two kinds: a PostgreSQL, which several servers may share, and the same
 * engine inside this process. Both are loaded only when named. Values cross as text, numbers and JSON: the two clients
 * disagree about everything else.
 */

export type Row = Readonly<Record<string, unknown>>;
export type Query = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export interface Database {
  readonly kind: 'postgresql' | 'embedded';
  readonly query: Query;
  /** All of it or nothing of it. What lost against a neighbour is tried once more. */
  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface DatabaseSettings {
  readonly url: string;
  readonly folder: string;
  readonly connections: number;
}

const MIGRATIONS = fileURLToPath(new URL('migrations', import.meta.url));
/** A statement of ours touches some rows; one that takes this long waits for something that will not come. */
const STATEMENT_MS = 10_000;
const CONNECT_MS = 3000;
/** Of PostgreSQL: deadlock found, serialisation failed. */
const LOST = new Set(['40P01', '40001']);
/** Classes of its codes that say nothing of a statement: no connection, no entrance, no room, ended by a hand or by time, a broken disk. */
const AWAY = /^(?:08|28|3D|53|57|58)/;

const away = new WeakSet<object>();

/** Whether the database could not be asked. Whatever else fails has been brought about by what we asked of it. */
export function isStorageAway(error: unknown): boolean {
  return typeof error === 'object' && error !== null && away.has(error);
}

/** An error that has no severity is none of the database's own: it comes from the way there. */
async function asked<Result>(asking: Promise<Result>): Promise<Result> {
  try {
    return await asking;
  } catch (error) {
    const { severity, code } = error as { severity?: unknown; code?: unknown };
    if (typeof severity !== 'string' || AWAY.test(String(code))) away.add(error as object);
    throw error;
  }
}

export async function openDatabase(settings: DatabaseSettings, onLost: () => void): Promise<Database> {
  const database = settings.url === 'embedded' ? await openEmbedded(settings.folder) : await openPool(settings, onLost);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function openPool({ url, connections }: DatabaseSettings, onLost: () => void): Promise<Database> {
  const { default: pg } = await import('pg').catch(() => {
    throw new Error('storage.url names a PostgreSQL, which needs the package pg: npm install pg');
  });
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 60_000,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + 1000,
    keepAlive: true,
    application_name: 'guard-control-plane',
  });
  // A connection that breaks, idle or between two statements of a transaction, tells nobody else; and an error that nobody
  // hears ends the process.
  pool.on('error', onLost);
  pool.on('connect', (client) => void client.on('error', () => {}));
  const query: Query = async (sql, values = []) => (await asked(pool.query<Row>(sql, [...values]))).rows;
  return {
    kind: 'postgresql',
    query,
    transaction: (work) =>
      again(async () => {
        const client = await asked(pool.connect());
        let broken: Error | undefined;
        try {
          await asked(client.query('begin'));
          const result = await work(
            async (sql, values = []) => (await asked(client.query<Row>(sql, [...values]))).rows,
          );
          await asked(client.query('commit'));
          return result;
        } catch (error) {
          await client.query('rollback').catch((lost: Error) => (broken = lost));
          throw error;
        } finally {
          client.release(broken);
        }
      }),
    close: () => pool.end(),
  };
}

async function openEmbedded(folder: string): Promise<Database> {
  const { PGlite } = await import('@electric-sql/pglite').catch(() => {
    throw new Error('storage.url is embedded, which needs a package: npm install @electric-sql/pglite');
  });
  const place = join(folder, 'database');
  await mkdir(place, { recursive: true, mode: 0o700 });
  const engine = await PGlite.create(place);
  return {
    kind: 'embedded',
    query: async (sql, values = []) => (await asked(engine.query<Row>(sql, [...values]))).rows,
    transaction: (work) =>
      engine.transaction((inner) =>
        work(async (sql, values = []) => (await asked(inner.query<Row>(sql, [...values]))).rows),
      ),
    close: () => engine.close(),
  };
}

async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!LOST.has(String((error as { code?: unknown }).code))) throw error;
    return await work();
  }
}

/** Numbered files, each once, in one transaction and under a lock: two servers that start together do it one after the other. */
async function migrate(database: Database): Promise<void> {
  const files = readdirSync(MIGRATIONS)
    .filter((name) => /^\d{4}-[a-z-]+\.sql$/.test(name))
    .sort();
  await database.transaction(async (query) => {
    await query('select pg_advisory_xact_lock(7180418)::text');
    await query('create schema if not exists guard');
    await query(
      'create table if not exists guard.migrations (name text primary key, at timestamptz not null default now())',
    );
    const done = new Set((await query('select name from guard.migrations')).map(({ name }) => name));
    for (const name of done)
      if (!files.includes(String(name)))
        throw new Error(`the database was used by a newer guard: it knows the migration ${String(name)}`);
    for (const file of files.filter((name) => !done.has(name))) {
      for (const statement of statementsOf(readFileSync(join(MIGRATIONS, file), 'utf8'))) await query(statement);
      await query('insert into guard.migrations (name) values ($1)', [file]);
    }
  });
}

/** One at a time, since a prepared statement holds one. Our own files have no semicolon within a statement. */
function statementsOf(source: string): string[] {
  return source
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
