import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Query, Row } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import { migrate } from './migrate.ts';

/**
 * Access to the database, which is either a PostgreSQL server that several control planes may share, or the same
 * engine embedded in this process. Each client is loaded only when it is configured. Values are passed as text,
 * numbers and JSON, because the two clients treat all other types differently.
 */

export interface DatabaseSettings {
  readonly url: string;
  readonly folder: string;
  readonly connections: number;
}

/** Our statements touch few rows. One that takes this long is waiting for something that will not come. */
const STATEMENT_MS = 10_000;
const CONNECT_MS = 3000;
/** PostgreSQL error codes: deadlock detected, serialization failure. */
const LOST = new Set(['40P01', '40001']);
/**
 * Classes of PostgreSQL error codes that do not concern the statement itself: connection failure, access denied or no
 * such database, out of resources, canceled or shut down, I/O error.
 */
const AWAY = /^(?:08|28|3D|53|57|58)/;

const away = new WeakSet<object>();

/** Whether the database could not be reached or could not work. Every other error was caused by our query. */
export function isStorageAway(error: unknown): boolean {
  return typeof error === 'object' && error !== null && away.has(error);
}

/**
 * Marks errors that mean the storage is away. An error without a severity does not come from PostgreSQL but from the
 * connection to it.
 */
async function asked<Result>(asking: Promise<Result>): Promise<Result> {
  try {
    return await asking;
  } catch (error) {
    const { severity, code } = error as { severity?: unknown; code?: unknown };
    if (typeof severity !== 'string' || AWAY.test(String(code))) away.add(error as object);
    throw error;
  }
}

/** Connects to the database and applies pending migrations. */
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
  // A connection that breaks while idle, or between two statements of a transaction, is only reported by these
  // events. An `error` event without a listener would end the process.
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
  const unlock = lockFolder(folder);
  const engine = await PGlite.create(place).catch((error: unknown) => {
    unlock();
    throw error;
  });
  return {
    kind: 'embedded',
    query: async (sql, values = []) => (await asked(engine.query<Row>(sql, [...values]))).rows,
    transaction: (work) =>
      engine.transaction((inner) =>
        work(async (sql, values = []) => (await asked(inner.query<Row>(sql, [...values]))).rows),
      ),
    close: () => engine.close().finally(unlock),
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
