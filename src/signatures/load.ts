import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineCounter, isMap, isNode, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { isJsonObject } from '../domain/json-object.ts';
import type { Problem } from '../domain/problem.ts';
import { SHIPPED_FILES } from '../domain/signature.ts';
import type { Signature } from '../domain/signature.ts';
import { nestsTooDeeply } from '../domain/yaml-nesting.ts';
import { ENTRY_KEYS, inherited, readEntry, unknownKeys } from './entry.ts';
import type { Fields, Path, Say } from './entry.ts';
import { signatureTexts } from './files.ts';
import { expandIntents } from './intents.ts';
import { readAtBuild } from './read-at-build.ts';

/**
 * Reads signature files and reports all problems of their structure at once, each with its position. Whether patterns
 * compile and examples match is checked later, in the scanning threads, which have the engine.
 */
export interface Loaded {
  readonly signatures: readonly Signature[];
  readonly problems: readonly Problem[];
}

const BUNDLED = fileURLToPath(new URL('.', import.meta.url));
/** Shared word lists are YAML aliases. This is enough for any normal file, but stops one that expands exponentially. */
const MOST_ALIASES = 20_000;

const FILE_KEYS = ['category', 'roles', 'directions', 'exact', 'check', 'words', 'signatures', 'language', 'intents'];

/** Loads the bundled signatures and those of the extra files and folders. Ids must be unique across all of them. */
export function loadSignatures(extraPaths: readonly string[] = []): Loaded {
  const signatures: Signature[] = [];
  const problems: Problem[] = [];
  const ready = readAtBuild();
  if (ready !== null) signatures.push(...ready);
  const read = signatureTexts(ready === null ? [BUNDLED, ...extraPaths] : extraPaths);
  problems.push(...read.problems);
  for (const { file, text } of read.texts) {
    const isBundled = ready === null && file.startsWith(BUNDLED);
    const loaded = parseSignatures(text, isBundled ? `${SHIPPED_FILES}${relative(BUNDLED, file)}` : file);
    signatures.push(...loaded.signatures);
    problems.push(...loaded.problems);
  }
  return { signatures, problems: [...problems, ...duplicates(signatures)] };
}

function duplicates(signatures: readonly Signature[]): Problem[] {
  const first = new Map<string, Signature>();
  const problems: Problem[] = [];
  for (const signature of signatures) {
    const known = first.get(signature.id);
    if (known === undefined) first.set(signature.id, signature);
    else {
      const message = `the id ${signature.id} is already used at ${known.source.file}:${known.source.line}`;
      problems.push({ ...signature.source, column: 1, path: 'id', message });
    }
  }
  return problems;
}

/** Parses the text of one file. It is exported so that bundles of a control plane are read by the same rules. */
export function parseSignatures(source: string, file: string): Loaded {
  if (nestsTooDeeply(source))
    return { signatures: [], problems: [{ file, line: 1, column: 1, path: '', message: 'nested too deeply' }] };
  const lines = new LineCounter();
  // Without prettyErrors a message holds no place of its own: it is said in front, as for every other problem.
  const document = parseDocument(source, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    schema: 'core',
    version: '1.2',
  });
  const problems: Problem[] = document.errors.map((error) => {
    const { line, col } = lines.linePos(error.pos[0]);
    return { file, line, column: col, path: '', message: error.message.split('\n')[0] as string };
  });
  if (problems.length > 0) return { signatures: [], problems };

  const placeOf = (path: Path): { line: number; column: number } => {
    const { line, col } = lines.linePos(offsetOf(document, path));
    return { line, column: col };
  };
  const say = (path: Path, message: string): void => {
    problems.push({ file, ...placeOf(path), path: path.join('.'), message });
  };

  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    say([], error instanceof Error ? error.message : 'cannot be read');
    return { signatures: [], problems };
  }
  if (!isJsonObject(data)) {
    say([], "must be a mapping with 'signatures'");
    return { signatures: [], problems };
  }
  unknownKeys(data, FILE_KEYS, [], say);
  const read = (entry: Fields, path: Path): Signature =>
    readEntry({ ...inherited(data), ...entry }, path, { file, line: placeOf(path).line }, say);
  const intents = data['intents'] === undefined ? [] : expandIntents(data, say);
  return {
    signatures: [
      ...writtenOut(data, say).map(({ entry, path }) => read(entry, path)),
      ...intents.map(({ entry, path }) => read(entry, path)),
    ],
    problems,
  };
}

function writtenOut(file: Fields, say: Say): { entry: Fields; path: Path }[] {
  const { signatures, intents } = file;
  if (signatures === undefined && intents !== undefined) return [];
  if (!Array.isArray(signatures)) {
    say(['signatures'], "must be a list of signatures under the key 'signatures'");
    return [];
  }
  return signatures.flatMap((entry: unknown, index) => {
    const path = ['signatures', index];
    if (isJsonObject(entry)) {
      unknownKeys(entry, ENTRY_KEYS, path, say);
      return [{ entry, path }];
    }
    say(path, 'must be a mapping');
    return [];
  });
}

/** The offset of a value in the text, or of its nearest existing parent. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length--) {
    const part = path.slice(0, length);
    const parent: unknown = document.getIn(part.slice(0, -1), true);
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => isNode(key) && String(key) === String(part.at(-1)));
      if (pair !== undefined && isNode(pair.key)) return pair.key.range?.[0] ?? 0;
    }
    const node: unknown = length === 0 ? document.contents : document.getIn(part, true);
    if (isNode(node) && node.range !== null && node.range !== undefined) return node.range[0];
  }
  return 0;
}
