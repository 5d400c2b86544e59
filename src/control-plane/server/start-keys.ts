import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlPlaneConfig } from '../../config/control-plane.ts';
import { createKey } from '../new-key.ts';
import type { Database } from './database.ts';

/** Keys and secrets that a control plane needs before it serves anybody. */

/** The session secret is created once per database, so that a session opened on one server is valid on all of them. */
export async function sessionSecret(database: Database): Promise<Buffer> {
  await database.query(
    `insert into guard.settings (name, value) values ('session_secret', $1) on conflict (name) do nothing`,
    [randomBytes(32).toString('base64')],
  );
  const [row] = await database.query(`select value from guard.settings where name = 'session_secret'`);
  return Buffer.from(String(row!.value), 'base64');
}

/** Sessions, revocation and usage go by the id of a key, so one id must not stand for two keys. */
export async function refuseTakenIds(database: Database, { keys }: ControlPlaneConfig): Promise<void> {
  const kept = await database.query('select id from guard.keys where revoked_at is null');
  const taken = kept.find(({ id }) => keys.some((key) => key.id === id));
  if (taken !== undefined)
    throw new Error(
      `keys: the id ${String(taken.id)} is taken by a key in the storage; give the one in the configuration another id`,
    );
}

/**
 * Creates the first administrator's key when there is none. It is written to a file that only this user can read, and
 * not to the log, which many people read.
 */
export async function firstKey(database: Database, config: ControlPlaneConfig): Promise<string | null> {
  if (config.keys.some(({ scopes }) => scopes.includes('admin'))) return null;
  const { key, sha256 } = createKey();
  const { folder } = config.storage;
  const file = join(folder, 'first-admin.key');
  // In one transaction: the key is created only once, so a key that is in the database but in no file would lock
  // everybody out.
  return database.transaction(async (query) => {
    const kept = await query(`select id, scopes, revoked_at from guard.keys`);
    if (kept.some(({ scopes, revoked_at }) => revoked_at === null && String(scopes).includes('admin'))) return null;
    // The id of a revoked key stays taken. When two servers start together, both choose the same id, and one of them
    // makes no key.
    const taken = new Set([...config.keys, ...kept].map(({ id }) => String(id)));
    let id = 'first-admin';
    for (let n = 2; taken.has(id); n += 1) id = `first-admin-${n}`;
    const rows = await query(
      `insert into guard.keys (id, sha256, scopes) values ($1, $2, 'admin') on conflict (id) do nothing returning id`,
      [id, sha256],
    );
    if (rows.length === 0) return null;
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    return file;
  });
}
