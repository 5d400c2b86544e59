import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from './database.ts';

const MIGRATIONS = fileURLToPath(new URL('migrations', import.meta.url));

/**
 * Applies each numbered migration once, in one transaction and under a lock, so that servers that start together do
 * not collide.
 */
export async function migrate(database: Pick<Database, 'transaction'>): Promise<void> {
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

/**
 * Splits a file into statements, because a prepared statement holds only one. Our migrations contain no semicolon
 * within a statement.
 */
function statementsOf(source: string): string[] {
  return source
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
