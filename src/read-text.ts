import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export type ReadText =
  { readonly text: string; readonly problem: null } | { readonly text: null; readonly problem: string };

const REASONS = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ELOOP: 'symbolic links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENXIO: 'not a file',
} satisfies Record<string, string>;

/**
 * Reads a small text file as a whole, or says why it cannot. It reads through one descriptor and never more than
 * `maxBytes`: the size that `stat` reports is meaningless for a device or a file that is still growing. It opens
 * non-blocking, so that a pipe without a writer is refused instead of waited for.
 */
export function readText(file: string, maxBytes: number): ReadText {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = fstatSync(descriptor);
    if (status.isDirectory()) return { text: null, problem: 'this is a folder, not a file' };
    if (!status.isFile()) return { text: null, problem: 'not a file' };
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    if (length > maxBytes) return { text: null, problem: `larger than ${maxBytes} bytes` };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length)), problem: null };
  } catch (error) {
    if (error instanceof TypeError) return { text: null, problem: 'not UTF-8 text' };
    const code = (error as NodeJS.ErrnoException).code ?? '';
    return {
      text: null,
      problem: (REASONS as Record<string, string>)[code] ?? `cannot be read (${code || 'unknown reason'})`,
    };
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
