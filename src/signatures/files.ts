import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Problem } from '../domain/problem.ts';
import { readText } from '../read-text.ts';

/** Finds signature files and reads them. What cannot be read is a problem with its place, and never an exception. */

export interface SignatureText {
  readonly file: string;
  readonly text: string;
}

export interface TextsRead {
  readonly texts: readonly SignatureText[];
  readonly problems: readonly Problem[];
}

/** Forty times the largest bundled file. */
const MAX_BYTES = 2_097_152;

/**
 * Reads the files at the paths, each of them once however many paths and links lead to it. Otherwise all signatures of
 * a ConfigMap, which Kubernetes mounts as links into a hidden folder, would be duplicates of each other.
 */
export function signatureTexts(paths: readonly string[]): TextsRead {
  const texts: SignatureText[] = [];
  const problems: Problem[] = [];
  const taken = new Set<string>();
  for (const file of paths.flatMap((path) => filesAt(path, problems))) {
    const real = realPath(file);
    if (taken.has(real)) continue;
    taken.add(real);
    const read = readText(file, MAX_BYTES);
    if (read.text === null) problems.push(problemOf(file, read.problem));
    else texts.push({ file, text: read.text });
  }
  return { texts, problems };
}

/** The path without links, by which one file is known under all its names. A link that leads nowhere is its own. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function filesAt(path: string, problems: Problem[]): string[] {
  const seen = new Set<string>();
  try {
    return statSync(path).isDirectory() ? within(path).sort() : [path];
  } catch (error) {
    unreadable(path, error);
    return [];
  }

  /**
   * What begins with a dot is left out: the versions of a ConfigMap, of which two are there during an update, the
   * folders of version control, and what editors leave behind. `seen` ends the walk where links lead in a circle.
   */
  function within(folder: string): string[] {
    const real = realPath(folder);
    if (seen.has(real)) return [];
    seen.add(real);
    return namesIn(folder).flatMap((name) => {
      if (name.startsWith('.')) return [];
      const inside = join(folder, name);
      const below = isFolder(inside) ? within(inside) : [];
      // A folder of this name is what a mount makes of a file that was not there. It is refused when it is read.
      return /\.ya?ml$/.test(name) ? [inside].concat(below) : below;
    });
  }

  function namesIn(folder: string): string[] {
    try {
      return readdirSync(folder).sort();
    } catch (error) {
      unreadable(folder, error);
      return [];
    }
  }

  function unreadable(at: string, error: unknown): void {
    const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    problems.push(problemOf(at, `cannot be read (${code})${CURES[code] ?? ''}`));
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Advice for paths, which come from `signatures.paths` or from the command line. */
const CURES: Readonly<Record<string, string>> = {
  ENOENT: '; no such file or folder: mend the path, in signatures.paths of the configuration or on the command line',
  EACCES: '; let the user of this process read it',
};

function problemOf(file: string, message: string): Problem {
  return { file, line: 1, column: 1, path: '', message };
}
