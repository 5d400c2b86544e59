import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../domain/signature.ts';

const BUNDLED = fileURLToPath(new URL('..', import.meta.url));

/**
 * The engine knows of a problem which entry it is in and which key; this finds the line. By the look of the file and not by a
 * second parse: an entry is indented as its author likes, but a key stands at the beginning of a line, and so does the dash
 * of an example. What stands otherwise keeps the line of what is around it.
 */
export function preciselyPlaced(problem: Problem): Problem {
  const named = /\.(patterns|keys|near|all|matches|ignores|check)(?:\[(\d+)\])?$/.exec(problem.path);
  if (named === null) return problem;
  const lines = linesOf(problem.file);
  const [, key, item] = named;
  const entry = indentOf(lines[problem.line - 1] ?? '');
  const isOver = (line: string): boolean => line.trim() !== '' && indentOf(line) <= entry;
  for (let at = problem.line - 1; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (at >= problem.line && isOver(line)) break;
    const written = new RegExp(`^[\\s-]*(${key}):`).exec(line);
    if (written === null) continue;
    const keyed = { ...problem, line: at + 1, column: written[0].indexOf(key!) + 1 };
    return item === undefined ? keyed : (itemAt(lines, at, Number(item), keyed) ?? keyed);
  }
  return problem;
}

function itemAt(lines: readonly string[], key: number, item: number, problem: Problem): Problem | null {
  const first = lines[key + 1] ?? '';
  if (!first.trimStart().startsWith('- ')) return null;
  const dash = indentOf(first);
  let count = 0;
  for (let at = key + 1; at < lines.length && (lines[at]!.trim() === '' || indentOf(lines[at]!) >= dash); at += 1) {
    const line = lines[at]!;
    if (indentOf(line) !== dash || !line.trimStart().startsWith('- ')) continue;
    if (count === item) return { ...problem, line: at + 1, column: dash + 3 };
    count += 1;
  }
  return null;
}

function linesOf(file: string): readonly string[] {
  for (const path of [file, `${BUNDLED}${file}`]) {
    try {
      return readFileSync(path, 'utf8').split(/\r?\n/);
    } catch {
      // The bundled files are named relative to the program, those of the author as the author named them.
    }
  }
  return [];
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
