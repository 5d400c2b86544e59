import type * as z from 'zod';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { ParsedNode, Scalar, YAMLError } from 'yaml';
import { nestsTooDeeply } from '../domain/yaml-nesting.ts';
import { expand } from './expand.ts';
import { isTable, table } from './table.ts';
import type { Location, Sheet } from './sheet.ts';
import { accepts, entryOf, isMap as isMapOf, own, sectionOf, unknownKey } from './shape.ts';
import { schema } from './schema.ts';
import { valueOfText } from './value-of-text.ts';

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
  const locationOf = (offset: number): Location => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const start = locationOf(0);

  const document = nestsTooDeeply(text) ? null : parsed(text, lines);
  if (document === null) {
    sheet.complain([], 'nested too deeply', start);
    return null;
  }
  // Warnings are unknown tags and directives. A file that asks for something this reader does not support is
  // rejected.
  const faults = [...document.errors, ...document.warnings].slice(0, 20);
  for (const problem of faults) {
    const location = locationOf(problem.pos[0]);
    sheet.complain([], syntax(problem, lineOf(text, lines, location.line)), location);
  }
  // Not those of the sheet: it may hold problems of a file that was read before this one.
  if (faults.length > 0) return null;

  const reader = createReader(sheet, env, locationOf);
  const root = reader.value(document.contents, meaning, [], start);
  if (reader.hasTooMany()) {
    sheet.problems.length = 0;
    sheet.complain([], `more than ${MAX_VALUES} values, aliases counted at every use`, start);
    return null;
  }
  if (isTable(root)) Object.assign(sheet.raw, root);
  else if (root !== undefined && root !== null) {
    const location = locationOf(document.contents?.range[0] ?? 0);
    sheet.complain([], 'expected a section of keys at the top of the file', location);
    return null;
  }
  return reader.mentioned;
}

interface Reader {
  value(node: Node, at: Schema | null, path: Path, location: Location): unknown;
  /** The environment variables that the document refers to. */
  readonly mentioned: ReadonlySet<string>;
  hasTooMany(): boolean;
}

/** Reads the nodes of one document, guided by the schema. */
function createReader(sheet: Sheet, env: NodeJS.ProcessEnv, locationOf: (offset: number) => Location): Reader {
  const mentioned = new Set<string>();
  const anchors = new Map<string, ParsedNode>();
  let valuesLeft = MAX_VALUES;

  return { value, mentioned, hasTooMany: () => valuesLeft <= 0 };

  /** `location` is the node's position in the text. For an alias it is where the alias is used, not where it points. */
  function value(node: Node, at: Schema | null, path: Path, location: Location): unknown {
    valuesLeft -= 1;
    if (valuesLeft <= 0) return undefined;
    if (path.length > MAX_DEPTH) {
      sheet.complain(path, `nested deeper than ${MAX_DEPTH}`, location);
      return undefined;
    }
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) return value(target, at, path, location);
      sheet.complain(path, 'an alias without an anchor before it', location);
      return undefined;
    }
    if (node !== null && node !== undefined && 'anchor' in node && node.anchor !== undefined) {
      anchors.set(node.anchor, node as ParsedNode);
    }
    if (isMap(node)) return section(node.items as readonly Pair[], at, path);
    if (isSeq(node)) return list(node.items as readonly Node[], at, path, location);
    return isScalar(node) ? scalar(node, at, path, location) : null;
  }

  function list(items: readonly Node[], at: Schema | null, path: Path, location: Location): unknown[] {
    const entry = at === null ? null : entryOf(at);
    return items.map((item, index) => {
      const itemPath = [...path, index];
      const itemLocation = locationOfNode(item, location);
      sheet.note(itemPath, { key: itemLocation, value: itemLocation });
      return value(item, entry, itemPath, itemLocation);
    });
  }

  function section(items: readonly Pair[], at: Schema | null, path: Path): Record<string, unknown> {
    const out = table();
    const firstLine = new Map<string, number>();
    const known = at === null ? null : sectionOf(at);
    for (const pair of items) {
      const keyLocation = locationOfNode(pair.key, locationOf(0));
      const key = isScalar(pair.key) ? asWritten(pair.key) : null;
      if (key === null) {
        sheet.complain(path, 'a key must be plain text', keyLocation);
        continue;
      }
      const first = firstLine.get(key);
      // The parser's own duplicate check compares every key with every other, which is quadratic.
      if (first !== undefined) {
        sheet.complain([...path, key], `duplicate key; it is already given on line ${first}`, keyLocation);
        continue;
      }
      firstLine.set(key, keyLocation.line);
      const read = entry(key, pair.value, at, known, [...path, key], keyLocation);
      if (read !== undefined) out[key] = read;
    }
    return out;
  }

  /**
   * The value under a key of a section, of which `known` are the keys. Undefined when the key is refused, or says no more
   * than its default.
   */
  function entry(
    key: string,
    node: Node,
    at: Schema | null,
    known: ReturnType<typeof sectionOf>,
    path: Path,
    keyLocation: Location,
  ): unknown {
    const isEntry = known === null && at !== null && isMapOf(at);
    // Zod silently drops this key from a record.
    if (isEntry && key === '__proto__') {
      sheet.complain(path, 'nothing can have this name; choose another', keyLocation);
      return undefined;
    }
    const under = isEntry ? entryOf(at) : known === null ? null : own(known, key);
    if (under === undefined) {
      sheet.complain(path, unknownKey(key, Object.keys(known!)), keyLocation);
      // The value is still read: it may hold an anchor that is used elsewhere, and a missing anchor would cause a
      // second, false error.
      value(node, null, path, keyLocation);
      return undefined;
    }
    const location = locationOfNode(node, keyLocation);
    sheet.note(path, { key: keyLocation, value: location });
    const read = value(node, under, path, location);
    // `server:` with all its lines commented out means the defaults, not "no server".
    const isEmpty = read === null && under !== null && !accepts(under, null);
    return isEmpty ? undefined : read;
  }

  function scalar(node: Scalar, at: Schema | null, path: Path, location: Location): unknown {
    if (typeof node.value === 'number' && typeof node.source === 'string' && at !== null && !accepts(at, node.value)) {
      // An id or a hash that consists of digits only is still text.
      return accepts(at, node.source) ? node.source : node.value;
    }
    return typeof node.value === 'string' ? expanded(node.value, at, path, location) : node.value;
  }

  /** The text with its environment variables filled in, as the type that the setting takes. */
  function expanded(text: string, at: Schema | null, path: Path, location: Location): unknown {
    const expansion = expand(text, env);
    switch (expansion.kind) {
      case 'plain':
        return text;
      case 'unset':
        sheet.complain(
          path,
          `the variable ${expansion.variable} is not set; set it, or write \${${expansion.variable}:-default}`,
          location,
        );
        return undefined;
      case 'malformed':
        sheet.complain(path, 'expected ${NAME} or ${NAME:-default}; write $${ for a literal ${', location);
        return undefined;
      case 'expanded': {
        for (const variable of expansion.variables) mentioned.add(variable);
        // Where a variable is not set, the default stood in, which is in the file itself.
        sheet.from(
          path,
          expansion.variables.filter((variable) => (env[variable] ?? '') !== ''),
        );
        if (at === null || !WHOLE.test(text)) return expansion.text;
        return expansion.text === '' && !accepts(at, '') ? null : valueOfText(expansion.text, at);
      }
    }
  }

  function locationOfNode(node: Node, otherwise: Location): Location {
    return node?.range ? locationOf(node.range[0]) : otherwise;
  }
}

/** A key is text: an upstream called `007` is not called 7. */
function asWritten({ value, source }: Scalar): string {
  return typeof value === 'string' ? value : (source ?? '');
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
