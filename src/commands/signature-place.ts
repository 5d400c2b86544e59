import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../domain/problem.ts';

const BUNDLED = fileURLToPath(new URL('..', import.meta.url));

/**
 * Finds the exact line of a problem, for which the engine knows only the entry and the key. It looks at the text
 * instead of parsing it again: an entry may be indented in any way, but a key starts its line, and so does the dash
 * of an example. A problem for which nothing is found keeps the line of the entry or key around it.
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
      // Bundled files are named relative to the program, and other files as their author named them.
    }
  }
  return [];
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
