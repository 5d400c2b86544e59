import type * as z from 'zod';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { ParsedNode, Scalar, YAMLError } from 'yaml';
import { expand } from './expand.ts';
import { isTable, table } from './place.ts';
import type { Place, Sheet } from './place.ts';
import { accepts, entryOf, isMap as isMapOf, own, sectionOf, unknownKey } from './shape.ts';
import { schema } from './schema.ts';
import { typed } from './typing.ts';

/** Twice the depth of the deepest setting. */
const MAX_DEPTH = 16;
/** Values are counted each time an alias uses them, so that nine lines of anchors cannot expand to a billion values. */
const MAX_VALUES = 50_000;

type Path = readonly (string | number)[];
type Schema = z.core.$ZodType;
type Node = ParsedNode | Scalar | null | undefined;

/**
 * Parses the text of a configuration file into the sheet and reports every problem of syntax and structure; values
 * are checked against the schema later. Returns the environment variables that the text mentions, or null when so
 * little was understood that further checks would only add noise.
 */
export function readYaml(
  text: string,
  file: string,
  env: NodeJS.ProcessEnv,
  sheet: Sheet,
  meaning: Schema = schema,
): ReadonlySet<string> | null {
  const lines = new LineCounter();
  const mentioned = new Set<string>();
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const start = placeOf(0);

  const document = parsed(text, lines);
  if (document === null) {
    sheet.complain([], 'nested too deeply', start);
    return null;
  }
  // Warnings are unknown tags and directives. A file that asks for something this reader does not support is
  // rejected.
  for (const problem of [...document.errors, ...document.warnings].slice(0, 20)) {
    const place = placeOf(problem.pos[0]);
    sheet.complain([], syntax(problem, lineOf(text, lines, place.line)), place);
  }
  if (sheet.problems.length > 0) return null;

  const anchors = new Map<string, ParsedNode>();
  let left = MAX_VALUES;
  const root = value(document.contents, meaning, [], placeOf(0));
  if (left <= 0) {
    sheet.problems.length = 0;
    sheet.complain([], `more than ${MAX_VALUES} values, aliases counted at every use`, start);
    return null;
  }
  if (isTable(root)) Object.assign(sheet.raw, root);
  else if (root !== undefined && root !== null) {
    sheet.complain([], 'expected a section of keys at the top of the file', placeOf(document.contents?.range[0] ?? 0));
    return null;
  }
  return mentioned;

  /** `place` is the node's position in the text. For an alias it is where the alias is used, not where it points. */
  function value(node: Node, at: Schema | null, path: Path, place: Place): unknown {
    left -= 1;
    if (left <= 0) return undefined;
    if (path.length > MAX_DEPTH) {
      sheet.complain(path, `nested deeper than ${MAX_DEPTH}`, place);
      return undefined;
    }
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) return value(target, at, path, place);
      sheet.complain(path, 'an alias without an anchor before it', place);
      return undefined;
    }
    if (node !== null && node !== undefined && 'anchor' in node && node.anchor !== undefined) {
      anchors.set(node.anchor, node as ParsedNode);
    }
    if (isMap(node)) return section(node.items as readonly Pair[], at, path);
    if (isSeq(node)) {
      const entry = at === null ? null : entryOf(at);
      return node.items.map((item, index) => {
        const itemPath = [...path, index];
        const itemPlace = spot(item as Node, place);
        sheet.note(itemPath, { key: itemPlace, value: itemPlace });
        return value(item as Node, entry, itemPath, itemPlace);
      });
    }
    return isScalar(node) ? scalar(node, at, path, place) : null;
  }

  function section(items: readonly Pair[], at: Schema | null, path: Path): Record<string, unknown> {
    const out = table();
    const firstLine = new Map<string, number>();
    const known = at === null ? null : sectionOf(at);
    for (const pair of items) {
      const keyPlace = spot(pair.key, placeOf(0));
      const key = isScalar(pair.key) ? String(pair.key.value ?? '') : null;
      if (key === null) {
        sheet.complain(path, 'a key must be plain text', keyPlace);
        continue;
      }
      const keyPath = [...path, key];
      const first = firstLine.get(key);
      // The parser's own duplicate check compares every key with every other, which is quadratic.
      if (first !== undefined) {
        sheet.complain(keyPath, `duplicate key; it is already given on line ${first}`, keyPlace);
        continue;
      }
      firstLine.set(key, keyPlace.line);
      const isEntry = known === null && at !== null && isMapOf(at);
      // Zod silently drops this key from a record.
      if (isEntry && key === '__proto__') {
        sheet.complain(keyPath, 'nothing can have this name; choose another', keyPlace);
        continue;
      }
      const under = isEntry ? entryOf(at) : known === null ? null : own(known, key);
      if (under === undefined) {
        sheet.complain(keyPath, unknownKey(key, Object.keys(known!)), keyPlace);
        // The value is still read: it may hold an anchor that is used elsewhere, and a missing anchor would cause a
        // second, false error.
        value(pair.value, null, keyPath, keyPlace);
        continue;
      }
      const valuePlace = spot(pair.value, keyPlace);
      sheet.note(keyPath, { key: keyPlace, value: valuePlace });
      const read = value(pair.value, under, keyPath, valuePlace);
      // `server:` with all its lines commented out means the defaults, not "no server".
      const empty = read === null && under !== null && !accepts(under, null);
      if (read !== undefined && !empty) out[key] = read;
    }
    return out;
  }

  function scalar(node: Scalar, at: Schema | null, path: Path, place: Place): unknown {
    if (typeof node.value === 'number' && typeof node.source === 'string' && at !== null && !accepts(at, node.value)) {
      // An id or a hash that consists of digits only is still text.
      return accepts(at, node.source) ? node.source : node.value;
    }
    if (typeof node.value !== 'string') return node.value;
    const expansion = expand(node.value, env);
    switch (expansion.kind) {
      case 'plain':
        return node.value;
      case 'unset':
        sheet.complain(
          path,
          `the variable ${expansion.variable} is not set; set it, or write \${${expansion.variable}:-default}`,
          place,
        );
        return undefined;
      case 'malformed':
        sheet.complain(path, 'expected ${NAME} or ${NAME:-default}; write $${ for a literal ${', place);
        return undefined;
      case 'expanded':
        for (const variable of expansion.variables) mentioned.add(variable);
        sheet.from(path, expansion.variables.filter(isSet));
        if (at === null || !WHOLE.test(node.value)) return expansion.text;
        return expansion.text === '' && !accepts(at, '') ? null : typed(expansion.text, at);
    }
  }

  /** Otherwise the default stood in, which is in the file itself. */
  function isSet(variable: string): boolean {
    return env[variable] !== undefined && env[variable] !== '';
  }

  function spot(node: Node, otherwise: Place): Place {
    return node?.range ? placeOf(node.range[0]) : otherwise;
  }
}

type Pair = { readonly key: Node; readonly value: Node };

/** A value that is a single `${...}` reference. Its text takes the type of the setting, such as a number. */
const WHOLE = /^\$\{[^}]*\}$/;

function lineOf(text: string, lines: LineCounter, line: number): string {
  return text.slice(lines.lineStarts[line - 1] ?? 0, lines.lineStarts[line] ?? text.length);
}

function syntax(problem: YAMLError, line: string): string {
  if (problem.code === 'MULTIPLE_DOCS') return 'a second document starts here; one file holds one';
  if (problem.message.startsWith('Maximum call stack')) return 'nested too deeply';
  const braces = /^Unexpected flow-map|^Unexpected scalar/.test(problem.message) && line.includes('${');
  return braces ? 'a ${...} between braces or brackets needs quotes: "${NAME}"' : problem.message;
}

/**
 * Returns null when the text nests too deeply: the yaml package composes documents recursively, and a file of
 * brackets overflows the stack.
 */
function parsed(text: string, lineCounter: LineCounter) {
  try {
    return parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      schema: 'core',
      version: '1.2',
      resolveKnownTags: false,
      uniqueKeys: false,
      merge: false,
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
