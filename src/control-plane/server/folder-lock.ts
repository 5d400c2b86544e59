import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Keeps a second server out of the folder of an embedded database. Two engines on the same files overwrite each
 * other's changes without noticing, so that what was acknowledged is gone after the next start.
 *
 * The lock belongs to an open file and ends with it, also where the process is killed. A file with the id of the
 * process was refused for that: it stays behind, and in containers that share a folder ids mean nothing.
 */
const FILE = 'database.lock';

/** Where a file can be opened and locked in one step: macOS knows O_EXLOCK, and libuv has the same for Windows. */
const LOCKED_AT_OPENING: Readonly<Partial<Record<NodeJS.Platform, number>>> = {
  darwin: 0x20 | constants.O_NONBLOCK,
  win32: 0x1000_0000,
};
const HELD_ELSEWHERE = new Set(['EAGAIN', 'EWOULDBLOCK', 'EBUSY']);
/** What flock(1) exits with when somebody else has the lock. */
const CONFLICT = 1;

/** Locks a folder. Throws an error for the operator when another process has it, and returns how to release it. */
export function lockFolder(folder: string): () => void {
  const file = join(folder, FILE);
  const atOpening = LOCKED_AT_OPENING[process.platform];
  const opened = openedAt(file, folder, atOpening ?? 0);
  if (atOpening === undefined) {
    try {
      lockOpened(opened, file, folder);
    } catch (error) {
      closeSync(opened);
      throw error;
    }
  }
  return () => closeSync(opened);
}

function openedAt(file: string, folder: string, how: number): number {
  try {
    return openSync(file, constants.O_RDWR | constants.O_CREAT | how, 0o600);
  } catch (error) {
    throw HELD_ELSEWHERE.has(String((error as NodeJS.ErrnoException).code)) ? inUse(folder) : error;
  }
}

/**
 * Node cannot lock an open file. flock(1) can lock one that it inherits, and the lock stays when it has ended: it is
 * that of the open file, which is ours as well.
 */
function lockOpened(opened: number, file: string, folder: string): void {
  const { error, status } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', opened] });
  if (status === 0) return;
  if (status === CONFLICT) throw inUse(folder);
  throw new Error(
    (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
      ? `storage.url is embedded, and keeping a second server out of ${folder} needs the program flock (package util-linux)`
      : `${file}: cannot be locked, so a second server could not be kept out; put storage.folder on a disk of this machine`,
  );
}

function inUse(folder: string): Error {
  return new Error(
    `storage.folder: ${folder} is in use by another control plane; an embedded database is for one, stop the other or give this one a folder of its own`,
  );
}
