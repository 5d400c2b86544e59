import type { Problem } from '../domain/problem.ts';
import { pathText } from './shape.ts';
import { table } from './table.ts';

/** Where a setting was given: a line of a file, or a variable or flag, which has a name instead of a line. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly name?: string;
}

/** The raw settings, with the place of each and the problems found so far. */
export interface Sheet {
  readonly raw: Record<string, unknown>;
  readonly problems: Problem[];
  note(path: readonly PropertyKey[], locations: { readonly key: Location; readonly value: Location }): void;
  /** Says that the value at this path was put together from variables, so that a problem with it can name them. */
  from(path: readonly PropertyKey[], variables: readonly string[]): void;
  at(path: readonly PropertyKey[]): Location;
  /** Reports a problem at this path or, where nothing was written there, at the nearest section around it. */
  complain(path: readonly PropertyKey[], message: string, location?: Location): void;
}

export function createSheet(file: string): Sheet {
  const locations = new Map<string, { readonly key: Location; readonly value: Location }>();
  const origins = new Map<string, readonly string[]>();
  const problems: Problem[] = [];
  const raw = table();

  function at(path: readonly PropertyKey[]): Location {
    const exact = locations.get(pathText(path));
    if (exact !== undefined) return exact.value;
    for (let length = path.length - 1; length > 0; length -= 1) {
      const around = locations.get(pathText(path.slice(0, length)));
      if (around !== undefined) return around.key;
    }
    return { file, line: 1, column: 1 };
  }

  return {
    raw,
    problems,
    note(path, where) {
      // Whatever is noted later takes the location of what the file says.
      origins.delete(pathText(path));
      locations.set(pathText(path), where);
    },
    from: (path, variables) => void origins.set(pathText(path), variables),
    at,
    complain: (path, message, location = at(path)) => {
      const variables = origins.get(pathText(path)) ?? [];
      problems.push({
        file: location.file,
        line: location.line,
        column: location.column,
        path: location.name ?? pathText(path),
        message: variables.length === 0 ? message : `${message}; the value is from ${variables.join(', ')}`,
      });
    },
  };
}
